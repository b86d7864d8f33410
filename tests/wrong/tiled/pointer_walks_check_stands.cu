// expect: out_of_bounds 15  (the pointer walks, the check does not)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    const float *a = A + row * K + tx;
    const float *b = B + ty * N + col;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = row < M && tx < K ? *a : 0.0f;
        Bs[ty][tx] = k0 + ty < K && col < N ? *b : 0.0f;
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
        a += 16;
        b += 16 * N;
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
