// All threads copy; only every fourth multiplies, four elements each.
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    float acc[4] = {};
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        As[ty][tx] = row < M && t * TILE + tx < K ? A[row * K + t * TILE + tx] : 0.0f;
        Bs[ty][tx] = t * TILE + ty < K && col < N ? B[(t * TILE + ty) * N + col] : 0.0f;
        __syncthreads();
        if (tx % 4 == 0) {
            for (int k = 0; k < TILE; ++k) {
                const float a = As[ty][k];
                acc[0] += a * Bs[k][tx];
                acc[1] += a * Bs[k][tx + 1];
                acc[2] += a * Bs[k][tx + 2];
                acc[3] += a * Bs[k][tx + 3];
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j) {
        if (tx % 4 == 0 && row < M && col + j < N) {
            C[row * N + col + j] = acc[j];
        }
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
