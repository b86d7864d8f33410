// One thread stores another value.
// launch: 8x8x8
// expect: race error width @store @store
// expect: race error width @store @read
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int width;
    width = threadIdx.x == 40 ? M + 1 : N;  //@store
    C[threadIdx.x] = (float)width;  //@read
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
