// The count of a barrier is what the threads brought, not more.
// launch: 8x8x8
// expect: crash assertion @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    assert(__syncthreads_count(threadIdx.x < 5) == 6);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
