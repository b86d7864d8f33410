// expect: pass  (the shape of the block depends on the sizes)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row < M && col < N) {  // the last blocks reach past the edges of C
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    const int width = N < TILE ? N : TILE;
    const int height = M < TILE ? M : TILE;
    launch->block = dim3(width, height);
    launch->grid = dim3(ceil_div(N, width), ceil_div(M, height));
}
