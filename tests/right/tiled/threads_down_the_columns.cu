// expect: pass  (a flat block whose threads walk down the columns)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[16][17];
    __shared__ float Bs[16][17];
    const int r = threadIdx.x % 16;
    const int c = threadIdx.x / 16;
    const int row = blockIdx.x * 16 + r;
    const int col = blockIdx.y * 16 + c;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[r][c] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;
        Bs[r][c] = k0 + r < K && col < N ? B[(k0 + r) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            acc += As[r][k] * Bs[k][c];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(M, 16), ceil_div(N, 16));
}
