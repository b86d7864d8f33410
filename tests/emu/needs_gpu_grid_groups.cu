// A grid of blocks needs a GPU, and the compiler says so.
// compile: tilegrade_needs_gpu_grid_groups
#include <cooperative_groups.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto grid = cooperative_groups::this_grid();  //@here
    grid.sync();
    C[0] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
