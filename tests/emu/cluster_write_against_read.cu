// A block stores into another one that still reads.
// launch: 8x8x8
// expect: race value @read @write
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
    cluster.sync();
    float mine = value;  //@read
    if (threadIdx.x == 1) {
        *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1) = mine;  //@write
    }
    cluster.sync();
    if (mine == 100.0f) {
        C[0] = 0.0f;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
