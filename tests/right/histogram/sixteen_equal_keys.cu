// expect: pass  (sixteen equal keys are counted by one addition)
#include "kernel.cuh"

#define THREADS 256
#define BINS    256

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N)
{
    __shared__ int mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();  // every count is 0
    const int first = 16 * (blockIdx.x * THREADS + threadIdx.x);
    const int end = min(N, first + 16);
    bool are_equal = true;
    for (int i = first; i < end; ++i) {
        are_equal = are_equal && keys[i] == keys[first];
    }
    if (are_equal && first < end) {
        atomicAdd(&mine[keys[first]], end - first);
    }
    for (int i = first; i < end && !are_equal; ++i) {
        atomicAdd(&mine[keys[i]], 1);
    }
    __syncthreads();  // all keys of the block are counted
    atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(BINS));
    LAUNCH(count, dim3(ceil_div(N, 16 * THREADS)), dim3(THREADS));
}
