// 32 x 128 elements of C a block of 256 threads: 4 columns, 32 apart, in 4 rows of each warp.
#include "matmul.cuh"

enum { kRows = 32, kCols = 128, kDepth = 16 };

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float left[kRows][kDepth + 1], right[kDepth][kCols];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row0 = blockIdx.y * kRows, col0 = blockIdx.x * kCols;
    float sum[4][4] = {};
    for (int begin = 0; begin < K; begin += kDepth) {
        for (int i = threadIdx.x; i < kRows * kDepth; i += 256) {
            const int r = i / kDepth, k = i % kDepth;
            left[r][k] = row0 + r < M && begin + k < K ? A[(row0 + r) * K + begin + k] : 0.0f;
        }
        for (int i = threadIdx.x; i < kDepth * kCols; i += 256) {
            const int k = i / kCols, c = i % kCols;
            right[k][c] = begin + k < K && col0 + c < N ? B[(begin + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < kDepth; ++k) {
            for (int i = 0; i < 4; ++i) {
                for (int j = 0; j < 4; ++j) {
                    sum[i][j] += left[warp * 4 + i][k] * right[k][lane + 32 * j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + warp * 4 + i, col = col0 + lane + 32 * j;
            if (row < M && col < N) {
                C[row * N + col] = sum[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, kCols), ceil_div(M, kRows));
}
