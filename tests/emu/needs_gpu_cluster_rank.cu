// Whose shared memory an address is in only a GPU can say, and the compiler says so.
// compile: tilegrade_needs_gpu_rank_of_shared_address
#include <cooperative_groups.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    C[0] = cooperative_groups::this_cluster().query_shared_rank(&value);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
