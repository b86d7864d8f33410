// expect: pass  (at most 132 blocks take parts in turn, and each part has its own counts)
#include "kernel.cuh"

#define BINS 256
#define PART 8192

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N)
{
    __shared__ int mine[BINS];
    const int t = threadIdx.x;
    for (int part = blockIdx.x; part < ceil_div(N, PART); part += gridDim.x) {
        mine[t] = 0;
        __syncthreads();  // all counts are 0
        for (int i = part * PART + t; i < min(N, (part + 1) * PART); i += BINS) {
            atomicAdd(&mine[keys[i]], 1);
        }
        __syncthreads();  // all keys of the part are counted
        atomicAdd(&counts[t], mine[t]);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(BINS));
    LAUNCH(count, dim3(min(132, ceil_div(N, PART))), dim3(BINS));
}
