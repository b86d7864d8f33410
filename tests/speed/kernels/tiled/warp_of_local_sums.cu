// A block is one warp; each lane keeps 512 sums of two columns in an array, and A comes by
// shuffles.
#include "matmul.cuh"

#define ROWS 256

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    const int lane = threadIdx.x;
    const int row0 = blockIdx.y * ROWS;
    const int col = blockIdx.x * 64 + lane;
    float acc[ROWS][2];
    for (int i = 0; i < ROWS; ++i) {
        acc[i][0] = 0.0f;
        acc[i][1] = 0.0f;
    }
    for (int k = 0; k < K; ++k) {
        const float b0 = col < N ? B[k * N + col] : 0.0f;
        const float b1 = col + 32 < N ? B[k * N + col + 32] : 0.0f;
        for (int i0 = 0; i0 < ROWS; i0 += 32) {
            const int row = row0 + i0 + lane;
            const float a = row < M ? A[row * K + k] : 0.0f;
            for (int i = 0; i < 32; ++i) {
                const float one = __shfl_sync(0xffffffffu, a, i);
                acc[i0 + i][0] += one * b0;
                acc[i0 + i][1] += one * b1;
            }
        }
    }
    for (int i = 0; i < ROWS && row0 + i < M; ++i) {
        if (col < N) {
            C[(row0 + i) * N + col] = acc[i][0];
        }
        if (col + 32 < N) {
            C[(row0 + i) * N + col + 32] = acc[i][1];
        }
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(32);
    launch->grid = dim3(ceil_div(N, 64), ceil_div(M, ROWS));
}
