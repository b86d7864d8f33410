// expect: bad_launch  (a cluster has 8 blocks at most)
#include "kernel.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int CLUSTER = 16;

__global__ void clear(const uint8_t *keys, int *counts, int N)
{
    counts[threadIdx.x] = 0;
}

__global__ void __cluster_dims__(CLUSTER)
    count(const uint8_t *keys, int *counts, int N)
{
    __shared__ int bins[256 / CLUSTER];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 256 / CLUSTER; i += blockDim.x) {
        bins[i] = 0;
    }
    cluster.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) {
        int bin = keys[i];
        int *there = cluster.map_shared_rank(bins, bin / (256 / CLUSTER));
        atomicAdd(there + bin % (256 / CLUSTER), 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < 256 / CLUSTER; i += blockDim.x) {
        atomicAdd(&counts[cluster.block_rank() * (256 / CLUSTER) + i], bins[i]);
    }
}

__global__ void histogram(const uint8_t *keys, int *counts, int N)
{
}

LAUNCH_CONFIG(histogram, N)
{
    LAUNCH(clear, dim3(1), dim3(256));
    LAUNCH(count, dim3(16), dim3(256));
}
