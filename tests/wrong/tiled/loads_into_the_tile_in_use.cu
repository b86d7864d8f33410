// expect: race 20 24  (two buffers, but the tile after the next goes into the one in use)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[2][16][16];
    __shared__ float Bs[2][16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    const int tiles = ceil_div(K, 16);
    float acc = 0.0f;
    for (int t = 0; t < min(tiles, 2); ++t) {
        As[t][ty][tx] = row < M && t * 16 + tx < K ? A[row * K + t * 16 + tx] : 0.0f;
        Bs[t][ty][tx] = t * 16 + ty < K && col < N ? B[(t * 16 + ty) * N + col] : 0.0f;
    }
    __syncthreads();
    for (int t = 0; t < tiles; ++t) {
        for (int k = 0; k < 16; ++k) {
            acc += As[t % 2][ty][k] * Bs[t % 2][k][tx];
        }
        const int n = t + 2;
        if (n < tiles) {
            As[n % 2][ty][tx] = row < M && n * 16 + tx < K ? A[row * K + n * 16 + tx] : 0.0f;
            Bs[n % 2][ty][tx] = n * 16 + ty < K && col < N ? B[(n * 16 + ty) * N + col] : 0.0f;
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
