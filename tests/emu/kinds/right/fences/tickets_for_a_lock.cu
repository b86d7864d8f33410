// expect: pass  (threads of a block take turns by the numbers that they draw)
// launch: 1x1x500
// result: [sum(A)]
#include "matmul.cuh"

#define THREADS 64

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int next;
    __shared__ volatile int serving;
    __shared__ float total;

    const int t = threadIdx.x;
    if (t == 0) {
        next = 0;
        serving = 0;
        total = 0.0f;
    }
    __syncthreads();  // number 0 is served
    float sum = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        sum += A[k];
    }
    const int mine = atomicAdd(&next, 1);
    while (serving != mine) {
    }
    __threadfence_block();  // what the one before stored is there
    total += sum;
    __threadfence_block();  // the sum is stored before the next is served
    serving = mine + 1;
    __syncthreads();  // everyone has added
    if (t == 0) {
        C[0] = total;
    }
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}
