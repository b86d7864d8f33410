// expect: pass  (blocks leave their counts, and a second launch adds them)
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
}

__global__ void add_parts(const uint8_t *keys, int *counts, int N, float *workspace)
{
    const unsigned *parts = (const unsigned *)workspace;
    int sum = 0;
    for (int p = 0; p < PARTS; ++p) {
        sum += parts[p * BINS + threadIdx.x];
    }
    counts[threadIdx.x] = sum;
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    launch->workspace_bytes = sizeof(unsigned) * BINS * PARTS;
    LAUNCH(count_parts, dim3(PARTS), dim3(BINS));
    LAUNCH(add_parts, dim3(1), dim3(BINS));
}
