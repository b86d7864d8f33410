// expect: pass  (a single block goes over all of C)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    for (int e = threadIdx.x; e < M * N; e += blockDim.x) {
        const int row = e / N;
        const int col = e - row * N;
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(192);
    launch->grid = dim3(1);
}
