// The cluster has no block of this rank.
// launch: 8x8x8
// expect: crash cluster rank @map
// end: stopped
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        value = 1.0f;
    }
    cluster.sync();
    float *next = cluster.map_shared_rank(&value, cluster.block_rank() + 1);  //@map
    C[blockIdx.x] = *next;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
