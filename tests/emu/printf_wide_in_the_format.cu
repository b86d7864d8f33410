// The same with the width in the format.
// launch: 8x8x8
// expect: output_limit @here
#include <cstdio>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    printf("%99999999d\n", 1);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
