// expect: pass  (half of the lanes work before and after a shuffle)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x;
    const bool low = lane < 16;
    float sum = 0.0f;
    if (low) {
        for (int k = lane; k < K && row < M; k += 32) {
            sum += A[row * K + k] * B[k * N + col];
        }
    }
    float other = __shfl_xor_sync(0xffffffffu, sum, 16);
    if (low) {
        sum = 0.0f;
    } else {
        sum = other;
        for (int k = lane; k < K && row < M; k += 32) {
            sum += A[row * K + k] * B[k * N + col];
        }
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    if (lane == 0 && row < M) {
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(N, ceil_div(M, 4));
}
