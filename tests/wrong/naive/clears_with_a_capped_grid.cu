// expect: wrong_result 22  (256 threads of 1024 blocks clear no more than 262144 elements)
#include "matmul.cuh"

#define TILE 16

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        C[i] = 0.0f;
    }
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] += acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    const int blocks = ceil_div(M * N, 256);
    LAUNCH(clear, dim3(blocks < 1024 ? blocks : 1024), dim3(256));
    LAUNCH(matmul_naive, dim3(ceil_div(N, TILE), ceil_div(M, TILE)), dim3(TILE, TILE));
}
