// printf writes to standard output.
// row: `printf`, `assert`
// launch: 8x8x8
// prints: thread 3 of block 0 has 1.50 and text
#include <stdio.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x == 3) {
        printf("thread %d of block %u has %.2f and %s\n", threadIdx.x, blockIdx.x, 1.5f, "text");
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
