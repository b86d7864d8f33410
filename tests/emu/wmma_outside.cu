// Fragments are loaded and stored inside their arrays.
// launch: 16x16x16
// expect: out_of_bounds A @load
// expect: out_of_bounds C @store
#include "matmul.cuh"
#include <mma.h>

using namespace nvcuda;

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::load_matrix_sync(a, A + 16 * 8, 16); //@load
    wmma::fill_fragment(c, a.x[0]);
    wmma::store_matrix_sync(C + 16, c, 16, wmma::mem_row_major); //@store
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
