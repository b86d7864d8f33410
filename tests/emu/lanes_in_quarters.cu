// Quarters of a warp read, meet and store, each its own words, round by round.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float word[32];
    const int t = threadIdx.x;
    const int first = t / 8 * 8;
    const unsigned mask = 0xffu << first;
    word[t] = A[t];
    for (int round = 0; round < 4; ++round) {
        __syncwarp(mask);
        float sum = 0.0f;
        for (int i = 0; i < 8; ++i) {
            sum += word[first + i];
        }
        __syncwarp(mask);
        word[t] = sum;
    }
    C[t] = word[t];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
