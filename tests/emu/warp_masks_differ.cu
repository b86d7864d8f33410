// Lanes that wait for each other must name the same lanes.
// launch: 8x8x8
// expect: barrier_divergence @low @high
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x < 16) {
        __syncwarp(0xffffffffu);  //@low
    } else {
        __syncwarp(0xffff0001u);  //@high
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
