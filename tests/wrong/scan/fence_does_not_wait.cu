// expect: uninitialized 26 29  (a fence orders the sums, but no block waits for one)
#include "kernel.cuh"

#define PART 256  // elements and threads of a block

// Each block needs the sum of all elements up to the end of the block before.
__global__ void chained(const float *x, float *y, int N, float *workspace) {
    volatile float *sums = workspace;
    __shared__ float values[PART];
    __shared__ float before;

    const int i = blockIdx.x * PART + threadIdx.x;
    values[threadIdx.x] = i < N ? x[i] : 0.0f;
    __syncthreads();  // all values are there
    for (int step = 1; step < PART; step *= 2) {
        const float below = threadIdx.x >= step ? values[threadIdx.x - step] : 0.0f;
        __syncthreads();  // every thread has read
        values[threadIdx.x] += below;
        __syncthreads();  // every thread has added
    }

    if (threadIdx.x == 0) {
        before = 0.0f;
        if (blockIdx.x > 0) {
            // One block may come to this line before the other one has come to its store.
            before = sums[blockIdx.x - 1];
        }
        __threadfence();
        sums[blockIdx.x] = before + values[PART - 1];
    }
    __syncthreads();  // the sum before is known

    if (i < N) {
        y[i] = before + values[threadIdx.x];
    }
}

__global__ void scan(const float *x, float *y, int N) {
}

LAUNCH_CONFIG(scan, N) {
    const int parts = ceil_div(N, PART);
    launch->workspace_bytes = sizeof(float) * parts;
    LAUNCH(chained, dim3(parts), dim3(PART));
}
