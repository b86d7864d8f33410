// A value that the block before left on the stack is gone, also far below the top.
// options: junk
// prints: nan nan
#include "matmul.cuh"

__device__ float keep(int block)
{
    float kept[2048];
    if (block == 0) {
        for (int i = 0; i < 2048; i++) {
            kept[i] = 1.0f;
        }
    }
    return kept[5] + kept[2040];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float near[2];
    if (blockIdx.x == 0) {
        near[0] = near[1] = 1.0f;
    }
    C[blockIdx.x] = keep(blockIdx.x);
    if (blockIdx.x == 1) {
        printf("%f %f\n", fabsf(near[1]), fabsf(C[1]));
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(2);
}
