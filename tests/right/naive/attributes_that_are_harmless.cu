// expect: pass  (functions and variables have attributes, none of which switches a check off)
#include "matmul.cuh"

[[nodiscard]] __device__ __attribute__((noinline, const)) float product(float a, float b) {
    return a * b;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += product(A[row * K + k], B[k * N + col]);
        }
        [[maybe_unused]] alignas(16) const float copy[4] = {acc, acc, acc, acc};
        C[row * N + col] = copy[col % 4];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
