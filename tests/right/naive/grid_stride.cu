// expect: pass  (a fixed grid whose threads stride over C)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row_step = gridDim.y * blockDim.y;
    const int col_step = gridDim.x * blockDim.x;

    for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < M; row += row_step) {
        for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < N; col += col_step) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += A[row * K + k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(2, 3);
}
