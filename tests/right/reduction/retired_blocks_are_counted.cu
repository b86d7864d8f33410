// expect: pass  (the last block to retire is found by atomicInc, which sets the count back to 0)
#include "kernel.cuh"

#define THREADS 128
#define BLOCKS  64

__device__ float block_sum(float sum)
{
    __shared__ float sums[THREADS / 32];
    const int t = threadIdx.x;
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    __syncthreads();  // the sums of the call before are read
    if (t % 32 == 0) {
        sums[t / 32] = sum;
    }
    __syncthreads();  // every warp has stored its sum
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

__global__ void clear(const float *x, float *y, int N, float *workspace)
{
    *(unsigned *)workspace = 0;
}

__global__ void reduction(const float *x, float *y, int N, float *workspace)
{
    __shared__ bool is_last;
    unsigned *retired = (unsigned *)workspace;
    volatile float *sums = workspace + 1;
    const unsigned t = threadIdx.x;

    float sum = 0.0f;
    for (unsigned i = blockIdx.x * (2 * THREADS) + t; i < N; i += gridDim.x * (2 * THREADS)) {
        sum += x[i];
        if (i + THREADS < N) {
            sum += x[i + THREADS];
        }
    }
    sum = block_sum(sum);
    if (gridDim.x == 1) {
        if (t == 0) {
            y[0] = sum;
        }
        return;
    }
    if (t == 0) {
        sums[blockIdx.x] = sum;
        __threadfence();  // the sum is there before the block counts as retired
        is_last = atomicInc(retired, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();  // every thread knows whether this block is the last one
    if (is_last) {
        __threadfence();  // the sums of other blocks are read after the count
        sum = 0.0f;
        for (unsigned i = t; i < gridDim.x; i += THREADS) {
            sum += sums[i];
        }
        sum = block_sum(sum);
        if (t == 0) {
            y[0] = sum;
        }
    }
}

LAUNCH_CONFIG(reduction, N)
{
    launch->workspace_bytes = sizeof(float) * (1 + BLOCKS);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(min(BLOCKS, ceil_div(N, 2 * THREADS))), dim3(THREADS));
}
