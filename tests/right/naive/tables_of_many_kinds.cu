// expect: pass  (constants of the file, of a class, of the kernel, and made by the compiler)
#include "matmul.cuh"

__device__ const float sign[2] = {1.0f, -1.0f};

struct table {
    static constexpr float sign[2] = {1.0f, -1.0f};
};

__device__ float one(int k) {
    static const float ones[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    return ones[k % 4];
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += sign[k % 2] * A[row * K + k] * (B[k * N + col] * table::sign[k % 2] * one(k));
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
