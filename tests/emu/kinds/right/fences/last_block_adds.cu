// expect: pass  (the block that draws the last ticket adds the sums of all)
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
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = blockIdx.x * THREADS + t; k < K; k += gridDim.x * THREADS) {
        sum += A[k];
    }
    part[t] = sum;
    __syncthreads();  // all parts are there
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();  // this level is done
    }

    float *sums = workspace + 1;
    int *tickets = (int *)workspace;
    __shared__ bool last;
    if (t == 0) {
        sums[blockIdx.x] = part[0];
        __threadfence();  // the sum is there before the ticket is drawn
        last = atomicAdd(tickets, 1) == BLOCKS - 1;
    }
    __syncthreads();  // everyone knows whether this block is the last
    if (last && t == 0) {
        float total = 0.0f;
        for (int i = 0; i < BLOCKS; ++i) {
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
    launch->workspace_bytes = 4 * (BLOCKS + 64);
    LAUNCH(clear, dim3(1), dim3(64));
    LAUNCH(last_block, dim3(BLOCKS), dim3(THREADS));
}
