// expect: barrier_divergence 12 15  (only lanes with a term take part, the mask names all)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x;
    float sum = 0.0f;
    if (row < M) {
        for (int k = lane; k < K; k += 32) {
            sum += A[row * K + k] * B[k * N + col];
            sum += __shfl_down_sync(0xffffffffu, 0.0f, 1);
        }
        for (int step = 16; step > 0; step /= 2) {
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        }
        if (lane == 0) {
            C[row * N + col] = sum;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(N, ceil_div(M, 4));
}
