// Work between arriving at the barrier and waiting there, and clusters without __cluster_dims__.
// launch: 8x8x8
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        value = A[blockIdx.x];
    }
    cluster.barrier_arrive();
    float other = A[8 + threadIdx.x % 32];
    cluster.barrier_wait();
    other += *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
    cluster.sync();
    if (threadIdx.x == 0) {
        C[blockIdx.x] = other;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
