// What a thread stored before the barrier says nothing about the stores after it.
// launch: 8x8x8
// expect: race error width @store @read
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int width;
    if (threadIdx.x == 40) {
        width = N;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        width = N;  //@store
    }
    if (threadIdx.x == 40) {
        C[0] = (float)width;  //@read
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
