// expect: wrong_result  (products are rounded to multiples of 2^-30)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {  // the last blocks reach past the edges of C
        long long acc = 0;
        for (int k = 0; k < K; ++k) {
            acc += (long long)((double)A[row * K + k] * B[k * N + col] * 1073741824.0);
        }
        C[row * N + col] = (float)((double)acc / 1073741824.0);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
