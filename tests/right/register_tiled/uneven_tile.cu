// expect: pass  (48 x 80 elements a block, 3 x 5 a thread, slices of 7)
#include "matmul.cuh"

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float As[7][48];
    __shared__ float Bs[7][80];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 48;
    const int col0 = blockIdx.x * 80;
    float acc[3][5] = {};
    for (int k0 = 0; k0 < K; k0 += 7) {
        for (int i = tid; i < 7 * 48; i += 256) {
            const int k = i % 7;
            const int r = i / 7;
            As[k][r] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
        }
        for (int i = tid; i < 7 * 80; i += 256) {
            const int k = i / 80;
            const int c = i % 80;
            Bs[k][c] = k0 + k < K && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 7; ++k) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 5; ++j) {
                    acc[i][j] += As[k][threadIdx.y + 16 * i] * Bs[k][threadIdx.x + 16 * j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 5; ++j) {
            const int row = row0 + threadIdx.y + 16 * i;
            const int col = col0 + threadIdx.x + 16 * j;
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 80), ceil_div(M, 48));
}
