// A copy of 16 bytes starts at a multiple of 16, on both sides.
// launch: 8x8x8
// expect: misaligned A @here
#include "matmul.cuh"
#include <cuda_pipeline.h>

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[2][64];
    int i = threadIdx.x, other = 63 - i;
    if (i < 2) {
        __pipeline_memcpy_async(&tile[0][4 * i], &A[4 * i + 2], 16);  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
