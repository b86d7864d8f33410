// 4 x 4 elements a thread; a function that is never inlined adds the products, so that the sums
// have an address: they are in local memory.
#include "matmul.cuh"

#define EDGE 64
#define DEPTH 16

static __device__ __noinline__ void add(float *sum, const float *a, const float *b) {
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            sum[4 * i + j] += a[i] * b[j];
        }
    }
}

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ float left[DEPTH][EDGE + 1];
    __shared__ float right[DEPTH][EDGE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int row0 = blockIdx.y * EDGE;
    const int col0 = blockIdx.x * EDGE;
    float sum[16] = {};
    for (int k0 = 0; k0 < K; k0 += DEPTH) {
        for (int i = y * 16 + x; i < EDGE * DEPTH; i += 256) {
            const int r = i / DEPTH, k = i % DEPTH;
            left[k][r] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.0f;
            right[i / EDGE][i % EDGE] = k0 + i / EDGE < K && col0 + i % EDGE < N
                                            ? B[(k0 + i / EDGE) * N + col0 + i % EDGE]
                                            : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k) {
            float a[4], b[4];
            for (int i = 0; i < 4; ++i) {
                a[i] = left[k][y * 4 + i];
                b[i] = right[k][x + 16 * i];
            }
            add(sum, a, b);
        }
        __syncthreads();
    }
    for (int i = 0; i < 16; ++i) {
        const int row = row0 + y * 4 + i / 4, col = col0 + x + 16 * (i % 4);
        if (row < M && col < N) {
            C[row * N + col] = sum[i];
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, EDGE), ceil_div(M, EDGE));
}
