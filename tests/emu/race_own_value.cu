// Every thread stores the same value and reads it: no other value can be there.
// launch: 8x8x8
// expect: race note width @store @store
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int width;
    width = N;  //@store
    if (threadIdx.x < width) {
        C[threadIdx.x] = (float)(width + width);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
