// expect: race 18 20  (no barrier between the store of one half and the addition of the other)
#include "matmul.cuh"

#define TILE 16

// Two threads share an element of C: each takes half of the terms.
__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int half = threadIdx.z;

    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = half; k < K; k += 2) {
            acc += A[row * K + k] * B[k * N + col];
        }
        if (half == 0) {
            C[row * N + col] = acc;
        } else {
            C[row * N + col] += acc;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE, 2);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
