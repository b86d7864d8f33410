// A flag of __match_all_sync does not go into memory of the machine.
// launch: 8x8x8
// expect: crash wild pointer @store
// end: stopped
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __match_all_sync(0xffffffffu, threadIdx.x, (int *)&gridDim.z); //@store
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
