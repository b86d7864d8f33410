// A block reads past the end of another block's array.
// launch: 8x8x8
// expect: out_of_bounds values @read
// end: stopped
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float values[64];
    cg::cluster_group cluster = cg::this_cluster();
    values[threadIdx.x] = A[threadIdx.x];
    cluster.sync();
    float *there = cluster.map_shared_rank(values, cluster.block_rank() ^ 1);
    float next = there[threadIdx.x + 1];  //@read
    cluster.sync();
    if (threadIdx.x == 0) {
        C[blockIdx.x] = next;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
