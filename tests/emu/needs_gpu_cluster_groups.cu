// A cluster of blocks needs a GPU, and the compiler says so.
// compile: tilegrade_needs_gpu_thread_block_clusters
#include <cooperative_groups.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    cooperative_groups::this_cluster().sync();  //@here
    C[0] = 0.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
