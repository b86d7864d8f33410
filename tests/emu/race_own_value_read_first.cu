// Threads that read before they store read what is not yet there.
// launch: 8x8x8
// expect: race error C @read @store
// expect: race note C @store @store
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float before = C[0];  //@read
    C[0] = 1.0f;          //@store
    C[1 + threadIdx.x % 63] = before;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
