// expect: not_allowed
// row: `static` variables of a function, if they can change
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    static int count;  //@here
    C[0] = count++;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
