// A megabyte of text is enough.
// launch: 8x8x8
// expect: output_limit @here
#include <cstdio>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    for (int i = 0; i < 1000; i++) {
        printf("%0100d\n", i);  //@here
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
