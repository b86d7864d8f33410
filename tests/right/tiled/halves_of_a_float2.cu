// expect: pass  (x of a pair from one thread, y from another: bytes of one float2)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float2 pair[16][8];
    __shared__ float Bs[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty;
    const int col = blockIdx.x * 16 + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        const float a = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
        if (tx % 2 == 0) {
            pair[ty][tx / 2].x = a;
        } else {
            pair[ty][tx / 2].y = a;
        }
        Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 8; ++k) {
            const float2 two = pair[ty][k];
            acc += two.x * Bs[2 * k][tx] + two.y * Bs[2 * k + 1][tx];
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
