// expect: race 19 29  (nothing waits for copies of ptx.cuh that a lambda starts)
#include "matmul.cuh"
#include "ptx.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    auto copy = [&](int k0) {
        const bool in_a = row < M && k0 + tx < K;
        const bool in_b = k0 + ty < K && col < N;
        const float *a = in_a ? &A[row * K + k0 + tx] : A;
        const float *b = in_b ? &B[(k0 + ty) * N + col] : B;
        ptx::cp_async_ca_4(&As[ty][tx], a, in_a ? 4 : 0);
        ptx::cp_async_ca_4(&Bs[ty][tx], b, in_b ? 4 : 0);
        ptx::cp_async_commit_group();
    };

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        copy(k0);
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
