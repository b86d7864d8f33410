// expect: pass  (each thread fences its own sum; a barrier before the ticket)
// launch: 1x1x1000
// result: [sum(A)]
#include "matmul.cuh"

#define THREADS 64
#define BLOCKS  6

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void last_block(const float *A, const float *B, float *C, int M, int N, int K,
                           float *workspace)
{
    float *sums = workspace + 1;
    int *tickets = (int *)workspace;
    __shared__ bool last;
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = blockIdx.x * THREADS + t; k < K; k += gridDim.x * THREADS) {
        sum += A[k];
    }
    sums[blockIdx.x * THREADS + t] = sum;
    __threadfence();  // the sum is there before the ticket is drawn
    __syncthreads();  // all sums of the block are there
    if (t == 0) {
        last = atomicAdd(tickets, 1) == BLOCKS - 1;
    }
    __syncthreads();  // everyone knows whether this block is the last
    if (last && t == 0) {
        float total = 0.0f;
        for (int i = 0; i < BLOCKS * THREADS; ++i) {
            total += sums[i];
        }
        C[0] = total;
    }
}

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->workspace_bytes = 4 * (BLOCKS * THREADS + 64);
    LAUNCH(clear, dim3(1), dim3(64));
    LAUNCH(last_block, dim3(BLOCKS), dim3(THREADS));
}
