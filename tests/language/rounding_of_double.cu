// expect: needs_gpu
// row: rounding of `double` by name: `__dadd_rz` …
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = __dadd_rz(A[0], 1.0);  //@here
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
