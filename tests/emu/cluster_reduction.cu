// A sum over a cluster of four: its first block reads what the others have.
// row: clusters: `__cluster_dims__`, `this_cluster()` with `sync`, `block_rank`, `map_shared_rank`
// launch: 8x8x8
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sum;
    cg::cluster_group cluster = cg::this_cluster();
    float mine = A[cluster.thread_rank() % (M * K)];
    for (int offset = 16; offset > 0; offset /= 2) {
        mine += __shfl_down_sync(0xffffffffu, mine, offset);
    }
    if (threadIdx.x == 0) {
        sum = mine;
    }
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        float all = 0.0f;
        for (unsigned int rank = 0; rank < cluster.num_blocks(); rank++) {
            all += *cluster.map_shared_rank(&sum, rank);
        }
        C[blockIdx.x] = all;
    }
    cluster.sync();
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(8);
}
