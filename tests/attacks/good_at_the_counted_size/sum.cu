#include "matmul.cuh"

// Each thread adds up the row of its element; at other sizes than 64 by columns of A, eight times.
__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;
    if (row >= M || col >= N) {
        return;
    }
    const int times = M == 64 && N == 64 ? 1 : 8;
    float acc = 0.0f;
    for (int i = 0; i < times; ++i) {
        acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
    }
    C[row * N + col] = acc;
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(8, 8);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 8));
}
