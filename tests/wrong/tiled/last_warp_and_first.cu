// expect: race 14 17  (the first and the last thread row fill each other rows; __syncwarp alone)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int fill = ty == 0 ? 15 : ty == 15 ? 0 : ty;
    const int row = blockIdx.y * 16 + ty;
    const int from = blockIdx.y * 16 + fill;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[fill][tx] = from < M && k0 + tx < K ? A[from * K + k0 + tx] : 0.0f;
        __syncwarp();
        for (int k = 0; k < 16 && k0 + k < K && col < N; ++k) {
            acc += As[ty][k] * B[(k0 + k) * N + col];
        }
        __syncwarp();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
