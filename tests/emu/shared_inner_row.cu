// The compiler sees an index past a row, though the address is inside the array.
// launch: 8x8x8
// expect: out_of_bounds inner @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16][16];
    As[threadIdx.x / 16][threadIdx.x % 16] = 0.0f;
    __syncthreads();
    C[threadIdx.x] = As[1][threadIdx.x];  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
