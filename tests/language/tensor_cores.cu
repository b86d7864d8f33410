// expect: needs_gpu
// row: tensor cores with factors of `double`, 4 bits or 1 bit
#include "matmul.cuh"
#include <mma.h>  //@here

using namespace nvcuda;

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sums;
    wmma::fill_fragment(sums, 0.0);
    C[0] = (float)sums.x[0];
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
