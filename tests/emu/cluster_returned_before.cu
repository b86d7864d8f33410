// Threads that have returned do not come to the barrier: it does not wait for them.  Those of one
// block are counted.
// launch: 8x8x8
// expect: exited_before_barrier warning absent=40 @sync @return
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x >= (cluster.block_rank() == 0 ? 24 : 32)) {
        return;  //@return
    }
    cluster.sync();  //@sync
    if (threadIdx.x == 0) {
        C[blockIdx.x] = A[0];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
