// The lanes of one warp make a call of wmma in two lines: no GPU runs them as one.
// launch: 8x8x8
// expect: barrier_divergence error @first
#include <mma.h>
#include "matmul.cuh"

using namespace nvcuda;

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(32) float tile[16 * 16];
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sums;
    wmma::fill_fragment(sums, 0.0f);  // by each lane for itself
    wmma::store_matrix_sync(tile, sums, 16, wmma::mem_row_major);
    __syncwarp();
    if (threadIdx.x < 16) {
        wmma::load_matrix_sync(sums, tile, 16, wmma::mem_row_major);  //@first
    } else {
        wmma::load_matrix_sync(sums, tile, 16, wmma::mem_row_major);
    }
    C[threadIdx.x] = sums.x[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
