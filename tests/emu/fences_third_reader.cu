// Threads of three warps read a word; two of them release to a fourth by a count, which stores.
// launch: 8x8x8
// expect: race error word @read @store
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float word;
    __shared__ int ready;
    const int t = threadIdx.x;
    if (t == 0) {
        word = A[0];
        ready = 0;
    }
    __syncthreads();
    if (t % 32 == 0 && t < 96) {
        C[t / 32] = word;  //@read
    }
    if (t == 0 || t == 32) {
        __threadfence_block();
        atomicAdd(&ready, 1);
    }
    if (t == 96) {
        while (atomicAdd(&ready, 0) < 2) {
        }
        __threadfence_block();
        word = 1.0f;  //@store
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(128);
    launch->grid = dim3(1);
}
