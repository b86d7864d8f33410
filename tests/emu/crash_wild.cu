// An address that is nobody's.
// launch: 8x8x8
// expect: crash wild pointer @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float *far = C + (1ll << 40);
    far[threadIdx.x] = 1.0f;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
