// First and last element of each array.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[32];
    __shared__ char small[3];
    As[threadIdx.x] = 1.0f;
    if (threadIdx.x < 3) {
        small[threadIdx.x] = 1;
    }
    __syncthreads();
    C[threadIdx.x] = As[31 - threadIdx.x] + small[2] + small[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
