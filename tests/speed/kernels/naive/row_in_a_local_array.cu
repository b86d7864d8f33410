// Each thread copies a piece of its row of A into an array of its own, and reads it by an index
// that changes at run time: local memory.
#include "matmul.cuh"

#define PIECE 512

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    float mine[PIECE];
    float acc = 0.0f;
    if (row >= M || col >= N) {
        return;
    }
    for (int k0 = 0; k0 < K; k0 += PIECE) {
        const int end = min(PIECE, K - k0);
        for (int k = 0; k < end; ++k) {
            mine[(k + col) % PIECE] = A[row * K + k0 + k];
        }
        for (int k = 0; k < end; ++k) {
            acc += mine[(k + col) % PIECE] * B[(k0 + k) * N + col];
        }
    }
    C[row * N + col] = acc;
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
