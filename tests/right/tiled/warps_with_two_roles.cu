// expect: pass  (four warps load and four compute, with barriers for all of them)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[2][8][16];
    __shared__ float Bs[2][16][16];
    const int t = threadIdx.x;
    const bool loader = t >= 128;
    const int u = t % 128;
    const int row0 = blockIdx.y * 8;
    const int col0 = blockIdx.x * 16;
    const int r = u / 16;
    const int c = u % 16;
    const int tiles = ceil_div(K, 16);
    float acc = 0.0f;
    for (int step = 0; step <= tiles; ++step) {
        if (loader) {
            const int k0 = step * 16;
            if (step < tiles) {
                const int b = step & 1;
                const bool in_a = row0 + r < M && k0 + c < K;
                As[b][r][c] = in_a ? A[(row0 + r) * K + k0 + c] : 0.0f;
                for (int h = r; h < 16; h += 8) {
                    const bool in_b = k0 + h < K && col0 + c < N;
                    Bs[b][h][c] = in_b ? B[(k0 + h) * N + col0 + c] : 0.0f;
                }
            }
        } else if (step > 0) {
            const int b = (step - 1) & 1;
            for (int k = 0; k < 16; ++k) {
                acc += As[b][r][k] * Bs[b][k][c];
            }
        }
        __syncthreads();
    }
    if (!loader && row0 + r < M && col0 + c < N) {
        C[(row0 + r) * N + col0 + c] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 8));
}
