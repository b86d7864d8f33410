// Within a block, too, a barrier is missing.
// launch: 8x8x8
// expect: uninitialized values @read
// expect: race values @store @read
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float values[64];
    cg::cluster_group cluster = cg::this_cluster();
    cluster.sync();
    values[threadIdx.x] = A[threadIdx.x];  //@store
    float next = values[threadIdx.x ^ 32];  //@read
    if (next == 100.0f) {
        C[0] = next;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
