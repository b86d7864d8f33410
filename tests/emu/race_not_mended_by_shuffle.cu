// A shuffle orders no memory.
// launch: 8x8x8
// expect: race @write @read
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int cell[32];
    cell[threadIdx.x] = threadIdx.x;  //@write
    const int zero = __shfl_sync(0xffffffffu, 0, 0);
    C[threadIdx.x] = (float)cell[(threadIdx.x + 1) % 32 + zero];  //@read
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
