// expect: race 13 17  (counts on threads that run one after the other)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float acc[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    acc[ty][tx] = 0.0f;
    for (int k = 0; k < K; ++k) {
        if (row < M && col < N) {
            acc[ty][tx] += A[row * K + k] * B[k * N + col];
        }
    }
    if (tx > 0 && row < M && col - 1 < N) {
        C[row * N + col - 1] = acc[ty][tx - 1];
    }
    if (tx == 15 && row < M && col < N) {
        C[row * N + col] = acc[ty][tx];
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
