// A copy into a tile that others still read.
// launch: 8x8x8
// expect: race tile @read @copy
#include "matmul.cuh"
#include <cuda_pipeline.h>

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tile[2][64];
    int i = threadIdx.x, other = 63 - i;
    tile[0][i] = A[i];
    __syncthreads();
    C[i] = tile[0][other];  //@read
    __pipeline_memcpy_async(&tile[0][i], &B[i], 4);  //@copy
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
