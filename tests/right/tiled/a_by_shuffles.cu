// expect: pass  (B in shared memory, A in registers that go round by shuffles)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float Bs[32][32];
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 32 + lane;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 32) {
        const float a = row < M && k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;
        for (int h = threadIdx.y; h < 32; h += 8) {
            Bs[h][lane] = k0 + h < K && col < N ? B[(k0 + h) * N + col] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k) {
            acc += __shfl_sync(0xffffffffu, a, k) * Bs[k][lane];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 8));
}
