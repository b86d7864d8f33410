// expect: out_of_bounds 23  (a struct of four results is returned into C, past its end)
#include "matmul.cuh"

struct Four {
    float v[4];
};

static __device__ Four sums(const float *a, const float *B, int N, int K, int col) {
    Four f;
    for (int j = 0; j < 4; ++j) {
        f.v[j] = 0.0f;
        for (int k = 0; k < K && col + j < N; ++k) {
            f.v[j] += a[k] * B[k * N + col + j];
        }
    }
    return f;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = (blockIdx.x * 16 + threadIdx.x) * 4;
    if (row < M && col < N) {
        *(Four *)&C[row * N + col] = sums(A + row * K, B, N, K, col);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 64), ceil_div(M, 16));
}
