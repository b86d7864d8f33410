// The same in C, with many readers.
// launch: 8x8x8
// expect: race error C @read @store
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    float sum = 0.0f;
    if (t < 30) {
        sum = C[32];  //@read
    }
    if (t != 17 && t != 30) {
        __syncwarp(0xbffdffff);
    }
    if (t == 31) {
        C[32] = 1.0f;  //@store
    }
    C[t] = sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
