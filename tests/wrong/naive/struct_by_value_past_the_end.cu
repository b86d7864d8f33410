// expect: out_of_bounds 23  (eight floats of A by value, past the end of A)
#include "matmul.cuh"

struct Eight {
    float v[8];
};

static __device__ float part(Eight a, const float *b, int N, int k, int K) {
    float sum = 0.0f;
    for (int i = 0; i < 8 && k + i < K; ++i) {
        sum += a.v[i] * b[(k + i) * N];
    }
    return sum;
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; k += 8) {
            sum += part(*(const Eight *)&A[row * K + k], B + col, N, k, K);
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
