// launch points to one configuration: any other write is out of bounds.
// launch: 8x8x8
// expect: out_of_bounds @after
// expect: out_of_bounds @before
// end: no configuration
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K) {}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
    launch[5].block = dim3(16, 16);  //@after
    launch[-1].shared_bytes = 0;     //@before
}
