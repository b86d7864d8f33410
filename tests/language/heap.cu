// expect: needs_gpu
// row: the heap: `malloc`, `new`
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int *place = (int *)malloc(4);  //@here
    C[0] = *place;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
