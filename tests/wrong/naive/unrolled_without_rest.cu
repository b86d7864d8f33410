// expect: out_of_bounds 15  (four terms a step, and no loop for the rest)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        const float *a = &A[row * K];
        const float *b = &B[col];
        float sum = 0.0f;
        for (int k = 0; k < K; k += 4) {
            sum += a[k] * b[k * N];
            sum += a[k + 1] * b[(k + 1) * N];
            sum += a[k + 2] * b[(k + 2) * N];
            sum += a[k + 3] * b[(k + 3) * N];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
