// A block uses a pointer to its own array that another block has made.
// launch: 8x8x8
// expect: crash pointer of another block @use
// end: stopped
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    __shared__ float *pointer;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned int other = cluster.block_rank() ^ 1;
    cluster.sync();
    if (threadIdx.x == 0) {
        value = A[0];
        *cluster.map_shared_rank(&pointer, other) = cluster.map_shared_rank(&value, other);
    }
    cluster.sync();
    if (threadIdx.x == 0) {
        C[blockIdx.x] = *pointer;  //@use
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
