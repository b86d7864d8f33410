// Each reader has met lane 3 before it stores: lanes 0 and 1 themselves, lane 2 through lane 0.
// What the kernel prints is printed once.
// launch: 8x8x8
// prints: once
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float word[32];
    const int t = threadIdx.x;
    word[t] = A[t];
    __syncwarp();
    float sum = 0.0f;
    if (t < 3) {
        sum = word[0];
    }
    if (t == 0) {
        printf("once\n");
    }
    if (t == 0 || t == 2) {
        __syncwarp(0x5);
    }
    if (t == 0 || t == 1 || t == 3) {
        __syncwarp(0xb);
    }
    if (t == 3) {
        word[0] = 1.0f;
    }
    C[t] = sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
