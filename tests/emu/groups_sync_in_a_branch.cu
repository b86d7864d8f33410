// block.sync() in half of the block: the others never arrive, and both lines are reported.
// launch: 8x8x8
// expect: barrier_divergence @here @there
#include <cooperative_groups.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto block = cooperative_groups::this_thread_block();
    if (block.thread_rank() < 32) {
        block.sync();  //@here
    } else {
        block.sync();  //@there
    }
    C[block.thread_rank()] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
