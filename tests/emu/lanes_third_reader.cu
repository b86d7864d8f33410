// Lanes 0, 1 and 2 read a word; lanes 0, 1 and 3 meet; lane 3 stores: lane 2 is not ordered.
// launch: 8x8x8
// expect: race error word @read @store
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float word[32];
    const int t = threadIdx.x;
    word[t] = A[t];
    __syncwarp();
    float sum = 0.0f;
    if (t < 3) {
        sum = word[0];  //@read
    }
    if (t == 0 || t == 1 || t == 3) {
        __syncwarp(0xb);
    }
    if (t == 3) {
        word[0] = 1.0f;  //@store
    }
    C[t] = sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
