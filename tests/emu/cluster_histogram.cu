// The histogram of NVIDIA's guide: each block of a cluster has a part of the bins.
// launch: 8x8x8
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int CLUSTER = 2;
constexpr int BINS_OF_BLOCK = 16;

__global__ void __cluster_dims__(CLUSTER, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int bins[BINS_OF_BLOCK];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned int size = cluster.num_blocks();
    int thread = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = (int)threadIdx.x; i < BINS_OF_BLOCK; i += (int)blockDim.x) {
        bins[i] = 0;
    }
    cluster.sync();
    for (int i = thread; i < M * K; i += (int)(blockDim.x * gridDim.x)) {
        int bin = ((int)(A[i] * 8.0f) & 31) % (BINS_OF_BLOCK * (int)size);
        int *there = cluster.map_shared_rank(bins, bin / BINS_OF_BLOCK);
        atomicAdd(there + bin % BINS_OF_BLOCK, 1);
    }
    cluster.sync();
    for (int i = (int)threadIdx.x; i < BINS_OF_BLOCK; i += (int)blockDim.x) {
        C[(int)blockIdx.x * BINS_OF_BLOCK + i] = (float)bins[i];  // a histogram for each cluster
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(4);
}
