// expect: pass  (a copy for each of six warps, four keys a load; a block merges each bin)
#include "kernel.cuh"

#define WARPS   6
#define THREADS (32 * WARPS)
#define PARTS   96
#define MERGE   64

__device__ void count_word(int *copy, unsigned word)
{
    atomicAdd(copy + (word & 255), 1);
    atomicAdd(copy + (word >> 8 & 255), 1);
    atomicAdd(copy + (word >> 16 & 255), 1);
    atomicAdd(copy + (word >> 24), 1);
}

__global__ void count_parts(const uint8_t *keys, int *counts, int N, float *workspace)
{
    __shared__ int copies[WARPS * 256];
    int *parts = (int *)workspace;
    int *copy = copies + threadIdx.x / 32 * 256;
    for (int i = threadIdx.x; i < WARPS * 256; i += THREADS) {
        copies[i] = 0;
    }
    __syncthreads();  // all counts are 0
    const int first = blockIdx.x * THREADS + threadIdx.x;
    for (int i = first; i < N / 4; i += gridDim.x * THREADS) {
        count_word(copy, ((const unsigned *)keys)[i]);
    }
    if (first < N % 4) {
        atomicAdd(copy + keys[N - 1 - first], 1);
    }
    __syncthreads();  // all keys of the block are counted
    for (int bin = threadIdx.x; bin < 256; bin += THREADS) {
        int sum = 0;
        for (int w = 0; w < WARPS; ++w) {
            sum += copies[w * 256 + bin];
        }
        parts[blockIdx.x * 256 + bin] = sum;
    }
}

__global__ void merge(const uint8_t *keys, int *counts, int N, float *workspace)
{
    __shared__ int sums[MERGE];
    const int *parts = (const int *)workspace;
    const int t = threadIdx.x;
    int sum = 0;
    for (int p = t; p < PARTS; p += MERGE) {
        sum += parts[p * 256 + blockIdx.x];
    }
    sums[t] = sum;
    for (int half = MERGE / 2; half > 0; half /= 2) {
        __syncthreads();  // the sums of the step before are there
        if (t < half) {
            sums[t] += sums[t + half];
        }
    }
    if (t == 0) {
        counts[blockIdx.x] = sums[0];
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    launch->workspace_bytes = sizeof(int) * 256 * PARTS;
    LAUNCH(count_parts, dim3(PARTS), dim3(THREADS));
    LAUNCH(merge, dim3(256), dim3(MERGE));
}
