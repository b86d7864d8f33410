// memset past the end of an array.
// launch: 8x8x8
// expect: out_of_bounds row @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float row[8];
    if (threadIdx.x == 0) {
        memset(row, 0, sizeof(row) + 4);  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
