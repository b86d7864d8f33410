// expect: pass  (members of a class have names that the C library has too)
#include "matmul.cuh"

struct matrix {
    const float *start;
    int width;

    __device__ float open(int row, int col) const {
        return start[row * width + col];
    }

    __device__ float exit(float value) const {
        return value;
    }
};

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const matrix rows = {A, K};
    const matrix cols = {B, N};
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += rows.open(row, k) * cols.open(k, col);
        }
        acc = rows.exit(acc);
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
