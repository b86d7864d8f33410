// expect: pass  (the same question before and after __syncwarp)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float line[4][32];
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x;
    const bool low = lane < 16;
    float sum = 0.0f;
    for (int k = lane; k < K && row < M; k += 32) {
        sum += A[row * K + k] * B[k * N + col];
    }
    if (!low) {
        line[threadIdx.y][lane] = sum;
    }
    __syncwarp();
    if (low) {
        line[threadIdx.y][lane] = sum + line[threadIdx.y][lane + 16];
    }
    __syncwarp();
    if (low && lane == 0 && row < M) {
        sum = 0.0f;
        for (int i = 0; i < 16; ++i) {
            sum += line[threadIdx.y][i];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(N, ceil_div(M, 4));
}
