// Each thread computes SIDE x SIDE elements of C by itself, and keeps the sums in an array.
#include "matmul.cuh"

#define SIDE 64
#define THREADS 64

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    const int across = ceil_div(N, SIDE);
    const int part = blockIdx.x * THREADS + threadIdx.x;
    const int row0 = part / across * SIDE;
    const int col0 = part % across * SIDE;
    float acc[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        acc[i] = 0.0f;
    }
    for (int k = 0; k < K && row0 < M; ++k) {
        float b[SIDE];
        for (int j = 0; j < SIDE; ++j) {
            b[j] = col0 + j < N ? B[k * N + col0 + j] : 0.0f;
        }
        for (int i = 0; i < SIDE; ++i) {
            const float a = row0 + i < M ? A[(row0 + i) * K + k] : 0.0f;
            for (int j = 0; j < SIDE; ++j) {
                acc[i * SIDE + j] += a * b[j];
            }
        }
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        if (row0 + i / SIDE < M && col0 + i % SIDE < N) {
            C[(row0 + i / SIDE) * N + col0 + i % SIDE] = acc[i];
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(ceil_div(N, SIDE) * ceil_div(M, SIDE), THREADS));
}
