// Histogram: how often each of 256 keys occurs.
//
// Shapes   keys [N] bytes, counts [256], any N from 1.
// Launch   clear sets the counts to 0; then count, with at most BLOCKS blocks, which take turns.
// Idea     a block counts in shared memory, in one copy of the counts for each lane of a warp.  The
//          copies of a count are side by side, so each lane has a bank of its own.
// Limit    1 byte of memory for each key: the atomic operations keep up with it.
// Source   CUDA Samples, "histogram": private copies; one for each lane added.
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

    // TODO 1 (about 3 lines): set all copies of all counts to 0, and wait

    const uint4 *sixteens = (const uint4 *)keys;
    const int first = blockIdx.x * THREADS + threadIdx.x;
    for (int i = first; i < N / 16; i += gridDim.x * THREADS) {
        const uint4 sixteen = sixteens[i];
        const unsigned words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
        for (int k = 0; k < 16; ++k) {
            const int key = words[k / 4] >> k % 4 * 8 & 255;
            // TODO 2 (about 1 line): count this key in my copy, which threads of other warps use as well
        }
    }
    if (first < N % 16) {  // the elements left over
        atomicAdd(&counts[keys[N - 1 - first]], 1);
    }

    // TODO 3 (about 6 lines): wait, then add the copies of each count, and add the sum to counts
}

__global__ void histogram(const uint8_t *keys, int *counts, int N) {
}

LAUNCH_CONFIG(histogram, N) {
    LAUNCH(clear, dim3(1), dim3(BINS));
    LAUNCH(count, dim3(min(BLOCKS, ceil_div(N, 16 * THREADS))), dim3(THREADS));
}
