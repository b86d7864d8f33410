// expect: pass  (the last warp adds up what all have left, behind a barrier)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float part[8][32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int row = blockIdx.y;
    const int col = blockIdx.x * 32 + lane;
    float sum = 0.0f;
    for (int k = warp; k < K && col < N; k += 8) {
        sum += A[row * K + k] * B[k * N + col];
    }
    part[warp][lane] = sum;
    __syncthreads();
    if (warp != 7) {
        return;
    }
    for (int w = 0; w < 7; ++w) {
        sum += part[w][lane];
    }
    if (col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 32), M);
}
