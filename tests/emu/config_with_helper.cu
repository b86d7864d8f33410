// A LAUNCH_CONFIG may branch, loop and call device functions.
// launch: 8x8x8
#include "matmul.cuh"

__device__ int threads_for(int elements)
{
    int threads = 32;
    while (threads < elements && threads < 1024) {
        threads *= 2;
    }
    return threads;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    assert(blockDim.x == 64 && gridDim.x == 1);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    if (M > 0) {
        launch->block = dim3(threads_for(M * N));
        launch->grid = 1;
    }
}
