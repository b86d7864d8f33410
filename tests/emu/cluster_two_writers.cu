// Two blocks store into a third one.
// launch: 8x8x8
// expect: race value @write @write
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() > 0) {
        *cluster.map_shared_rank(&value, 0) = (float)cluster.block_rank();  //@write
    }
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {
        C[blockIdx.x] = value;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
