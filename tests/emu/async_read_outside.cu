// A copy from past the end of A; the part that is filled with zeros is not read.
// launch: 8x8x8
// expect: out_of_bounds A @here
#include "matmul.cuh"
#include <cuda_pipeline.h>

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[2][64];
    int i = threadIdx.x, other = 63 - i;
    __pipeline_memcpy_async(&tile[0][i], &A[i + 60], 4, i < 4 ? 0 : 4);
    __pipeline_memcpy_async(&tile[1][i], &A[i + 60], 4, i < 5 ? 0 : 4);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
