// A function with a result that ends without `return`.
// launch: 8x8x8
// expect: crash trap @here
#include "matmul.cuh"

__device__ float half(int x)  //@here
{  //@here
    if (x < 100) {
        x = x / 2;
    }
}  //@here

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = half(threadIdx.x);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
