// expect: pass  (cooperative groups add the lanes)
#include "kernel.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void clear(const float *x, float *y, int N)
{
    y[0] = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N)
{
    __shared__ float total;
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    if (block.thread_rank() == 0) {
        total = 0.0f;
    }
    block.sync();
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        sum += x[i];
    }
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) {
        atomicAdd(&total, sum);
    }
    block.sync();
    if (block.thread_rank() == 0) {
        atomicAdd(y, total);
    }
}

LAUNCH_CONFIG(reduction, N)
{
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(min(32, ceil_div(N, 128))), dim3(128));
}
