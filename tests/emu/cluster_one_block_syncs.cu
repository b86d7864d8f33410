// Only one block of the cluster comes to the barrier.
// launch: 8x8x8
// expect: barrier_divergence @sync
// end: stopped
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 0) {
        cluster.sync();  //@sync
    }
    if (threadIdx.x == 0) {
        C[blockIdx.x] = A[0];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
