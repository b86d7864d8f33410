// expect: needs_gpu
// row: SIMD intrinsics: `__vmaxs4` …
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = __vmaxs4(K, N);  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
