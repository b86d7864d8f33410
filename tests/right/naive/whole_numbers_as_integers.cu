// expect: pass  (whole numbers are multiplied as integers, which is exact; others as floats)
#include "matmul.cuh"
#include <math.h>

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            const float a = A[row * K + k];
            const float b = B[k * N + col];
            const bool whole = a == truncf(a) && b == truncf(b) && fabsf(a * b) < 16777216.0f;
            acc += whole ? (float)((int)a * (int)b) : a * b;
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
