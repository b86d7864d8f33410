#include "matmul.cuh"

#define E1(n) int a##n = b##n;
#define E2(n) E1(n##0) E1(n##1) E1(n##2) E1(n##3) E1(n##4) \
    E1(n##5) E1(n##6) E1(n##7) E1(n##8) E1(n##9)
#define E3(n) E2(n##0) E2(n##1) E2(n##2) E2(n##3) E2(n##4) \
    E2(n##5) E2(n##6) E2(n##7) E2(n##8) E2(n##9)
E3(1) E3(2) E3(3) E3(4) E3(5) E3(6) E3(7) E3(8) E3(9)

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
