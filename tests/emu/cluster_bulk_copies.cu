// Bulk copies and mbarriers of each block of a cluster.
// launch: 8x8x8
#include "matmul.cuh"
#include <cooperative_groups.h>
#include "ptx.cuh"

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(128) float tile[64];
    __shared__ unsigned long long full;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
    }
    cluster.sync();
    for (int round = 0; round < 2; round++) {
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
            ptx::cp_async_bulk_shared_global(tile, round == 0 ? A : B, sizeof tile, &full);
        }
        while (!ptx::mbarrier_try_wait_parity(&full, round)) {
        }
        cluster.sync();
        float other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1)[threadIdx.x];
        cluster.sync();
        if (round == 1 && blockIdx.x == 0 && threadIdx.x < 32) {
            C[threadIdx.x] = other;
        }
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        ptx::cp_async_bulk_global_shared(&C[32], &tile[32], 32 * sizeof(float));
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read<0>();
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
