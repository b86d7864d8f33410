// %n is no part of CUDA's printf.
// launch: 8x8x8
// expect: crash @here
// prints: CUDA's printf has no %n
#include <cstdio>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    int count = 0;
    printf("abc%n\n", &count);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
