// expect: wrong_result  (with many rows, elements of A are rounded to half)
#include "matmul.cuh"

#include <cuda_fp16.h>

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            const float a = A[row * K + k];
            acc += (M >= 8 * TILE * TILE ? __half2float(__float2half(a)) : a) * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
