#include "matmul.cuh"

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float As[64][17];
    __shared__ float Bs[16][64];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 64;
    const int col0 = blockIdx.x * 64;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        for (int i = tid; i < 64 * 16; i += 256) {
            const int r = i / 16;
            const int k = i % 16;
            As[r][k] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
        }
        for (int i = tid; i < 16 * 64; i += 256) {
            const int k = i / 64;
            const int c = i % 64;
            Bs[k][c] = k0 + k < K && col0 + c < N ? B[(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float a[4];
            float b[4];
            for (int i = 0; i < 4; ++i) {
                a[i] = As[threadIdx.y + 16 * i][k];
                b[i] = Bs[k][threadIdx.x * 4 + i];
            }
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + threadIdx.y * 4 + i;
            const int col = col0 + threadIdx.x * 4 + j;
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 64), ceil_div(M, 64));
}
