// A width of a gigabyte is not formatted at all.
// launch: 8x8x8
// expect: output_limit @here
#include <cstdio>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    printf("%d %s %f %lld %*d\n", 1, "text", 2.0, 3ll, 1 << 30, 4);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
