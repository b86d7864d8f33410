// expect: pass  (at most 528 blocks take the tiles of C in turn)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[16][16];
    __shared__ float Bs[16][16];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int across = ceil_div(N, 16);
    const int all = across * ceil_div(M, 16);
    for (int tile = blockIdx.x; tile < all; tile += gridDim.x) {
        const int row = tile / across * 16 + ty;
        const int col = tile % across * 16 + tx;
        float acc = 0.0f;
        for (int k0 = 0; k0 < K; k0 += 16) {
            As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
            Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
            __syncthreads();
            for (int k = 0; k < 16; ++k) {
                acc += As[ty][k] * Bs[k][tx];
            }
            __syncthreads();
        }
        if (row < M && col < N) {
            C[row * N + col] = acc;
        }
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(min(528, ceil_div(N, 16) * ceil_div(M, 16)));
}
