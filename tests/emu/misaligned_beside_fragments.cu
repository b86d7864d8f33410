// A fragment of TF32 has 16 bytes, and says nothing about accesses of 16 bytes elsewhere.
// launch: 1x1x8
// expect: misaligned A @here
#include <mma.h>
#include "matmul.cuh"

using namespace nvcuda;

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fill_fragment(a, B[0]);
    float4 v = *(const float4 *)&A[1];  //@here
    C[0] = v.x + a.x[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->grid = dim3(1);
    launch->block = dim3(32);
}
