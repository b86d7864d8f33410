// expect: pass  (each warp has its own tiles and waits for itself alone)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[4][4][8];
    __shared__ float Bs[4][8][8];
    const int lane = threadIdx.x;
    const int warp = threadIdx.y;
    const int r = lane / 8;
    const int c = lane % 8;
    const int row = blockIdx.y * 16 + warp * 4 + r;
    const int col = blockIdx.x * 8 + c;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 8) {
        As[warp][r][c] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;
        for (int h = r; h < 8; h += 4) {
            Bs[warp][h][c] = k0 + h < K && col < N ? B[(k0 + h) * N + col] : 0.0f;
        }
        __syncwarp();
        for (int k = 0; k < 8; ++k) {
            acc += As[warp][r][k] * Bs[warp][k][c];
        }
        __syncwarp();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 16));
}
