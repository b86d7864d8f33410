// No dynamic shared memory was asked for at all.
// launch: 8x8x8
// expect: out_of_bounds @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float words[];
    words[threadIdx.x] = 1.0f;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
