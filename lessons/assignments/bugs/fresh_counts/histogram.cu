#include "kernel.cuh"

#define LENGTH 128
#define BINS   256

__global__ void zero(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void tally(const uint8_t *keys, int *counts, int N)
{
    __shared__ int bins[BINS];
    const int step = gridDim.x * LENGTH;

    if (threadIdx.x < BINS) {
        bins[threadIdx.x] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * LENGTH + threadIdx.x; i < N; i += step) {
        atomicAdd(&bins[keys[i]], 1);
    }
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += LENGTH) {
        atomicAdd(&counts[bin], bins[bin]);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(zero, dim3(1), dim3(BINS));
    LAUNCH(tally, dim3(min(64, ceil_div(N, LENGTH))), dim3(LENGTH));
}
