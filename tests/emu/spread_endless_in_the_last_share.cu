// An endless share is ended by its budget, without harm to the other shares.
// options: budget=100000
// expect: time_limit @here
// end: stopped
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[blockIdx.x * 8 + threadIdx.x] = A[threadIdx.x];
    while (blockIdx.x == 3 && K > 0) {
        C[24 + threadIdx.x] += 1.0f;  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}
