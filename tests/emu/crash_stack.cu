// Recursion without an end.
// launch: 8x8x8
// expect: crash stack overflow @here
#include "matmul.cuh"

__device__ float deeper(float *C, int level)
{  //@here
    float room[16];
    room[level % 16] = (float)level;  //@here
    return deeper(C, level + 1) + room[(level + 1) % 16];  //@here
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = deeper(C, threadIdx.x);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
