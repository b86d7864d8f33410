// expect: not_allowed 7  (the helper lacks __device__, so it is host code)
#include "matmul.cuh"

#define TILE 16

// Adds up the products of a row of A and a column of B.
float dot(const float *a, const float *b, int N, int K) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) {
        acc += a[k] * b[k * N];
    }
    return acc;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {  // the last blocks reach past the edges of C
        C[row * N + col] = dot(&A[row * K], &B[col], N, K);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
