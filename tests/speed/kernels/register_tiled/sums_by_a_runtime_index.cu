// 4 x 4 elements a thread, whose sums are found by an index that only the launch knows: the array
// is in local memory.
#include "matmul.cuh"

#define BM 64
#define BN 64
#define BK 16

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float As[BM][BK + 1];
    __shared__ float Bs[BK][BN];
    const int t = threadIdx.x;
    const int ty = t / 16;
    const int tx = t % 16;
    const int sums = (int)blockDim.x / 16;  // 16
    float acc[32];
    for (int i = 0; i < 32; ++i) {
        acc[i] = 0.0f;
    }
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = t; i < BM * BK; i += 256) {
            const int r = blockIdx.y * BM + i / BK;
            As[i / BK][i % BK] = r < M && k0 + i % BK < K ? A[r * K + k0 + i % BK] : 0.0f;
            const int c = blockIdx.x * BN + i % BN;
            Bs[i / BN][i % BN] = k0 + i / BN < K && c < N ? B[(k0 + i / BN) * N + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[4], b[4];
            for (int i = 0; i < 4; ++i) {
                a[i] = As[ty * 4 + i][k];
                b[i] = Bs[k][tx + 16 * i];
            }
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) {
                    acc[(i * 4 + j + k0) % sums] += a[i] * b[j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = blockIdx.y * BM + ty * 4 + i;
            const int col = blockIdx.x * BN + tx + 16 * j;
            if (row < M && col < N) {
                C[row * N + col] = acc[i * 4 + j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
