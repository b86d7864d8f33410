// A thread arrives at the barrier twice without waiting.
// launch: 8x8x8
// expect: crash cluster arrive and wait @arrive
// end: stopped
#include "matmul.cuh"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    cg::cluster_group cluster = cg::this_cluster();
    cluster.barrier_arrive();
    cluster.barrier_arrive();  //@arrive
    cluster.barrier_wait();
    C[threadIdx.x] = A[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(4);
}
