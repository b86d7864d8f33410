// ldmatrix reads shared memory.
// launch: 8x8x8
// expect: crash not shared memory @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    unsigned d[1];
    ptx::ldmatrix_x1(d, &A[threadIdx.x % 2 * 4]);  //@here
    C[threadIdx.x] = d[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
