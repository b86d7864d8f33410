#include "kernel.cuh"

#define THREADS 512
#define BLOCKS  528
#define BINS    256
#define COPIES  32

__global__ void clear(const uint8_t *keys, int *counts, int N) {
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N) {
    __shared__ int mine[BINS][COPIES];
    const int copy = threadIdx.x % COPIES;

    for (int i = threadIdx.x; i < BINS * COPIES; i += THREADS) {
        mine[i / COPIES][i % COPIES] = 0;
    }
    __syncthreads();  // every count is 0 before a thread adds to it

    const uint4 *sixteens = (const uint4 *)keys;
    const int first = blockIdx.x * THREADS + threadIdx.x;
    for (int i = first; i < N / 16; i += gridDim.x * THREADS) {
        const uint4 sixteen = sixteens[i];
        const unsigned words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
        for (int k = 0; k < 16; ++k) {
            const int key = words[k / 4] >> k % 4 * 8 & 255;
            ++mine[key][copy];
        }
    }
    if (first < N % 16) {  // the elements left over
        atomicAdd(&counts[keys[N - 1 - first]], 1);
    }

    __syncthreads();  // all keys of the block are counted
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
        int sum = 0;
        for (int c = 0; c < COPIES; ++c) {
            sum += mine[bin][(bin + c) % COPIES];  // neighbours begin in different banks
        }
        atomicAdd(&counts[bin], sum);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N) {
}

LAUNCH_CONFIG(histogram, N) {
    LAUNCH(clear, dim3(1), dim3(BINS));
    LAUNCH(count, dim3(min(BLOCKS, ceil_div(N, 16 * THREADS))), dim3(THREADS));
}
