// expect: race 13 15  (blocks in z add to one element without atomics)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = blockIdx.z; k < K; k += 2) {
            sum += A[row * K + k] * B[k * N + col];
        }
        if (blockIdx.z == 0) {
            C[row * N + col] = sum;
        } else {
            C[row * N + col] += sum;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16), 2);
}
