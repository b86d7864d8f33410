// expect: pass  (a block an element; the thread that draws the last ticket adds up)
#include "matmul.cuh"

#define THREADS 64

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float part[THREADS];
    __shared__ int tickets;

    const int t = threadIdx.x;
    const int row = blockIdx.y;
    const int col = blockIdx.x;

    float acc = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        acc += A[row * K + k] * B[k * N + col];
    }
    part[t] = acc;
    if (t == 0) {
        tickets = 0;
    }
    __syncthreads();  // the parts are stored and the tickets set before anyone draws one

    if (atomicAdd(&tickets, 1) == THREADS - 1) {
        acc = 0.0f;
        for (int i = 0; i < THREADS; ++i) {
            acc += part[i];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(N, M);
}
