// Reduction: the sum of an array, in one pass over it.
//
// Shapes   x [N], y [1], any N from 1.
// Launch   clear sets the counter of tickets to 0; then add, with at most BLOCKS blocks, which take
//          turns over x.
// Idea     a thread adds its elements, shuffles add the lanes of a warp, shared memory adds the
//          warps of a block, and the block that draws the last ticket adds the blocks.
// Limit    4 bytes of memory for each element, which is read once.  A thread has EACH loads of 16
//          bytes under way.
// Source   CUDA C++ Programming Guide, "Memory Fence Functions": the last block; Justin Luitjens,
//          "Faster Parallel Reductions on Kepler" (NVIDIA, 2014): shuffles.
#include "kernel.cuh"

#define THREADS 512
#define WARPS   (THREADS / 32)
#define EACH    4    // loads of a thread before it adds
#define BLOCKS  528  // at most: four for each SM of an H100

// Adds over the lanes of a warp: lane 0 gets the sum.
__device__ float warp_sum(float sum) {
    //@cut 1 in five steps, add the sum of a lane further up: 16 lanes, then 8, 4, 2 and 1
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, step);
    }
    //@end
    return sum;
}

// Adds over the threads of the block: thread 0 gets the sum.
__device__ float block_sum(float sum) {
    __shared__ float sums[WARPS];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;

    sum = warp_sum(sum);
    //@cut 2 the first lanes of all warps store their sums; then the first warp adds these
    if (lane == 0) {
        sums[warp] = sum;
    }
    __syncthreads();  // every warp has stored its sum
    if (warp == 0) {
        sum = warp_sum(lane < WARPS ? sums[lane] : 0.0f);
    }
    __syncthreads();  // the sums are read before the next call stores others
    //@end
    return sum;
}

__global__ void clear(const float *x, float *y, int N, float *workspace) {
    *(unsigned *)workspace = 0;
}

__global__ void add(const float *x, float *y, int N, float *workspace) {
    unsigned *tickets = (unsigned *)workspace;
    float *parts = workspace + 32;
    __shared__ bool is_last;

    const float4 *fours = (const float4 *)x;
    const int first = blockIdx.x * THREADS + threadIdx.x;
    float sum = first < N % 4 ? x[N - 1 - first] : 0.0f;  // what is not in fours
    const int chunk = EACH * THREADS;
    for (int start = blockIdx.x * chunk; start < N / 4; start += gridDim.x * chunk) {
        float4 four[EACH];
#pragma unroll
        for (int k = 0; k < EACH; ++k) {  // all loads first, so that they are under way together
            const int i = start + k * THREADS + threadIdx.x;
            four[k] = i < N / 4 ? fours[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            sum += (four[k].x + four[k].y) + (four[k].z + four[k].w);
        }
    }

    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        is_last = false;
        //@cut 3 leave the sum of this block in parts, and draw a ticket: is it the last one?
        parts[blockIdx.x] = sum;
        __threadfence();  // the part is there before the ticket says so
        is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
        __threadfence();  // the parts of other blocks are read after the ticket
        //@end
    }
    __syncthreads();  // every thread knows whether this block is the last one

    if (is_last) {
        sum = 0.0f;
        for (int i = threadIdx.x; i < gridDim.x; i += THREADS) {
            sum += parts[i];
        }
        sum = block_sum(sum);
        if (threadIdx.x == 0) {
            y[0] = sum;
        }
    }
}

__global__ void reduction(const float *x, float *y, int N) {
}

LAUNCH_CONFIG(reduction, N) {
    launch->workspace_bytes = sizeof(float) * (32 + BLOCKS);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(min(BLOCKS, ceil_div(N, THREADS))), dim3(THREADS));
}
