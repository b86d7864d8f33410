// expect: needs_gpu
// row: `labeled_partition`, `binary_partition`
#include "matmul.cuh"
#include <cooperative_groups.h>

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    C[0] = cooperative_groups::binary_partition(warp, K > 1).size();  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
