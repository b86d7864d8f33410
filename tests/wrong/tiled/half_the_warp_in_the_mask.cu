// expect: barrier_divergence 13  (only half of the warp is in the mask)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    // One warp makes one row of C: it copies 32 values of A and then all lanes use them.
    __shared__ float line[8][32];
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 32) {
        line[threadIdx.y][lane] = row < M && k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;
        __syncwarp(0x0000ffffu);
        for (int k = 0; k < 32 && k0 + k < K && col < N; ++k) {
            acc += line[threadIdx.y][k] * B[(k0 + k) * N + col];
        }
        __syncwarp();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
}
