// expect: pass  (each thread adds two elements as it loads them; a tile ends the tree)
#include "kernel.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

#define THREADS 256

__global__ void clear(const float *x, float *y, int N)
{
    y[0] = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N)
{
    __shared__ float sums[THREADS];
    cg::thread_block block = cg::this_thread_block();
    const int t = block.thread_rank();
    const int i = blockIdx.x * (2 * THREADS) + t;

    float sum = i < N ? x[i] : 0.0f;
    if (i + THREADS < N) {
        sum += x[i + THREADS];
    }
    sums[t] = sum;
    block.sync();  // every thread has stored its sum
    for (int half = THREADS / 2; half > 32; half /= 2) {
        if (t < half) {
            sums[t] = sum = sum + sums[t + half];
        }
        block.sync();  // the sums of this step are there
    }
    auto tile = cg::tiled_partition<32>(block);
    if (t < 32) {
        sum += sums[t + 32];
        for (int step = tile.size() / 2; step > 0; step /= 2) {
            sum += tile.shfl_down(sum, step);
        }
        if (t == 0) {
            atomicAdd(y, sum);
        }
    }
}

LAUNCH_CONFIG(reduction, N)
{
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(ceil_div(N, 2 * THREADS)), dim3(THREADS));
}
