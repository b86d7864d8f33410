// A thread that has not stored the value itself may read too early.
// launch: 8x8x8
// expect: race note width @store @store
// expect: race error width @store @read
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int width;
    if (threadIdx.x != 40) {
        width = N;  //@store
    }
    C[threadIdx.x] = (float)width;  //@read
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
