// A sum without a first value is not right by the luck of a fresh stack.
// options: junk
// prints: nan nan
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float sum[4];
    for (int k = 0; k < 4; k++) {
        sum[k] += A[k];
    }
    C[threadIdx.x] = sum[threadIdx.x % 4];
    if (threadIdx.x == 0) {
        printf("%f %f\n", fabsf(sum[0]), fabsf(sum[3]));
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(1);
}
