// launch[0] is the configuration, and arrays of LAUNCH_CONFIG's own are its own.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K) {}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    int side[2] = {8, 4};
    launch[0].block = dim3(side[0], side[1]);
    launch[0].grid = dim3(1);
    launch[0].shared_bytes = 0;
}
