// A thread that spins on memory lets the one that sets it run.
// launch: 1x1x1
// options: nocheck
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 63) {
        flag = 1;
    } else {
        while (flag != 1) {
        }
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
