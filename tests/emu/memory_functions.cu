// memcpy and memset are accesses like others.
// row: `memcpy`, `memset`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float row[8];
    float mine[8];
    if (threadIdx.x == 0) {
        memset(row, 0, sizeof(row));
    }
    __syncthreads();
    memcpy(mine, row, sizeof(mine));
    assert(mine[7] == 0.0f);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
