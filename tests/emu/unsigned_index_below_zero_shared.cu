// An unsigned index that goes below 0 is outside of its array, not in memory of no array.
// launch: 8x8x8
// expect: out_of_bounds @below
// end: stopped
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ double s[32];
    const unsigned int i = threadIdx.x;
    s[i] = A[i];
    __syncthreads();
    C[i] = A[i] + (float)s[i - 1]; //@below
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
