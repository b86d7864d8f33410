// A string that is none is the kernel's crash.
// launch: 8x8x8
// expect: crash null pointer @here
#include <cstdio>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const char *text = (const char *)(size_t)K;
    printf("%s\n", text);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
