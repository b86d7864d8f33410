#include "matmul.cuh"

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float As[64][17];
    __shared__ float Bs[16][64];
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int row0 = blockIdx.y * 64;
    const int col0 = blockIdx.x * 64;
    float acc[4][4] = {};
    float na[4];
    float nb[4];
    for (int k0 = -16; k0 < K; k0 += 16) {
        for (int i = 0; i < 4; ++i) {
            const int ea = tid + i * 256;
            const int r = row0 + ea / 16;
            const int ka = k0 + 16 + ea % 16;
            const int kb = k0 + 16 + ea / 64;
            const int c = col0 + ea % 64;
            na[i] = r < M && ka < K ? A[r * K + ka] : 0.0f;
            nb[i] = kb < K && c < N ? B[kb * N + c] : 0.0f;
        }
        for (int k = 0; k < 16 && k0 >= 0; ++k) {
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) {
                    acc[i][j] += As[threadIdx.y * 4 + i][k] * Bs[k][threadIdx.x * 4 + j];
                }
            }
        }
        for (int i = 0; i < 4; ++i) {
            const int e = tid + i * 256;
            As[e / 16][e % 16] = na[i];
            Bs[e / 64][e % 64] = nb[i];
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
