// expect: pass  (the block with the last ticket adds the parts)
#include "kernel.cuh"

#define BINS  256
#define PARTS 8

__global__ void count_parts(const uint8_t *keys, int *counts, int N, float *workspace)
{
    __shared__ unsigned mine[BINS];
    unsigned *parts = (unsigned *)workspace;
    const int t = threadIdx.x;
    mine[t] = 0;
    __syncthreads();  // all counts are 0
    for (int i = blockIdx.x * BINS + t; i < N; i += PARTS * BINS) {
        atomicInc(&mine[keys[i]], 0xffffffffu);
    }
    __syncthreads();  // all keys are counted
    parts[blockIdx.x * BINS + t] = mine[t];
    __threadfence();  // the counts are there before the ticket
    __shared__ bool is_last;
    __syncthreads();  // those of all threads
    if (t == 0) {
        is_last = atomicAdd(&parts[PARTS * BINS], 1) == PARTS - 1;
        __threadfence();  // the counts are read after the ticket
    }
    __syncthreads();  // every thread knows
    if (is_last) {
        int sum = 0;
        for (int p = 0; p < PARTS; ++p) {
            sum += parts[p * BINS + t];
        }
        counts[t] = sum;
    }
}

__global__ void clear(const uint8_t *keys, int *counts, int N, float *workspace)
{
    ((unsigned *)workspace)[PARTS * BINS] = 0;
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    launch->workspace_bytes = sizeof(unsigned) * (BINS * PARTS + 1);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(count_parts, dim3(PARTS), dim3(BINS));
}
