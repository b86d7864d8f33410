// Lanes 0, 1 and 2 add to a word; lanes 0, 1 and 3 meet; lane 3 reads the sum too early.
// launch: 8x8x8
// expect: race error word @add @read
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float word[32];
    const int t = threadIdx.x;
    word[t] = A[t];
    __syncwarp();
    if (t < 3) {
        atomicAdd(&word[8], 1.0f);  //@add
    }
    if (t == 0 || t == 1 || t == 3) {
        __syncwarp(0xb);
    }
    if (t == 3) {
        C[0] = word[8];  //@read
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
