// expect: pass  (all blocks arrive at a counter, and the first adds their sums)
#include "kernel.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

#define THREADS 256
#define BLOCKS  32

__global__ void clear(const float *x, float *y, int N, float *workspace)
{
    *(unsigned *)workspace = 0;
}

__device__ void block_sum(float *sums, const cg::thread_block &block)
{
    auto tile = cg::tiled_partition<32>(block);
    const int t = block.thread_rank();
    sums[t] = cg::reduce(tile, sums[t], cg::plus<float>());
    block.sync();  // the first lane of each tile has stored the sum of the tile
    if (t == 0) {
        float sum = 0.0f;
        for (int i = 0; i < THREADS; i += tile.size()) {
            sum += sums[i];
        }
        sums[0] = sum;
    }
    block.sync();  // the sum of the block is there
}

__global__ void reduction(const float *x, float *y, int N, float *workspace)
{
    extern __shared__ float sums[];
    unsigned *arrived = (unsigned *)workspace;
    float *parts = workspace + 1;
    cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank();

    sums[t] = 0.0f;
    for (int i = blockIdx.x * THREADS + t; i < N; i += gridDim.x * THREADS) {
        sums[t] += x[i];
    }
    block_sum(sums, block);
    if (t == 0) {
        parts[blockIdx.x] = sums[0];
        __threadfence();  // the part is there before this block arrives
        atomicAdd(arrived, 1);
        if (blockIdx.x == 0) {
            while (atomicAdd(arrived, 0) < gridDim.x) {
                __nanosleep(100);
            }
            __threadfence();  // the parts are read after the counter
        }
    }
    block.sync();  // in the first block: all blocks have arrived
    if (blockIdx.x == 0) {
        sums[t] = t < gridDim.x ? parts[t] : 0.0f;
        block_sum(sums, block);
        if (t == 0) {
            y[0] = sums[0];
        }
    }
}

LAUNCH_CONFIG(reduction, N)
{
    launch->workspace_bytes = sizeof(float) * (1 + BLOCKS);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(min(BLOCKS, ceil_div(N, THREADS))), dim3(THREADS),
           THREADS * sizeof(float));
}
