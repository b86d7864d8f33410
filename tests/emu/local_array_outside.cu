// Registers have bounds too.
// launch: 8x8x8
// expect: out_of_bounds inner @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = 0; i <= K / 2; i++) {
        acc[i] = (float)i;  //@here
    }
    C[threadIdx.x] = acc[0] + acc[1] + acc[2] + acc[3];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
