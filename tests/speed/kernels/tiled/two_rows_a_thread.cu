// 32 x 16 elements of C a block, two rows of them a thread.
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float a[32][16];
    __shared__ float b[16][16];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int top = blockIdx.y * 32;
    const int col = blockIdx.x * 16 + x;
    float sum[2] = {0.0f, 0.0f};
    for (int at = 0; at < K; at += 16) {
        const bool in_a = at + x < K;
        a[y][x] = in_a && top + y < M ? A[(top + y) * K + at + x] : 0.0f;
        a[y + 16][x] = in_a && top + y + 16 < M ? A[(top + y + 16) * K + at + x] : 0.0f;
        b[y][x] = at + y < K && col < N ? B[(at + y) * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const float right = b[k][x];
            sum[0] += a[y][k] * right;
            sum[1] += a[y + 16][k] * right;
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; ++i) {
        if (top + y + 16 * i < M && col < N) {
            C[(top + y + 16 * i) * N + col] = sum[i];
        }
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 32));
}
