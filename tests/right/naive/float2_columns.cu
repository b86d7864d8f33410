// expect: pass  (two columns a thread, as float2 where rows are even)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = (blockIdx.x * 32 + threadIdx.x) * 2;
    if (row >= M || col >= N) {
        return;
    }
    float2 sum = make_float2(0.0f, 0.0f);
    if (N % 2 == 0) {
        for (int k = 0; k < K; ++k) {
            const float a = A[row * K + k];
            const float2 b = *reinterpret_cast<const float2 *>(&B[k * N + col]);
            sum.x += a * b.x;
            sum.y += a * b.y;
        }
        *reinterpret_cast<float2 *>(&C[row * N + col]) = sum;
        return;
    }
    for (int k = 0; k < K; ++k) {
        const float a = A[row * K + k];
        sum.x += a * B[k * N + col];
        if (col + 1 < N) {
            sum.y += a * B[k * N + col + 1];
        }
    }
    C[row * N + col] = sum.x;
    if (col + 1 < N) {
        C[row * N + col + 1] = sum.y;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(N, 64), ceil_div(M, 8));
}
