// expect: inputs_changed 20  (each thread clears its row of A after use)
#include "matmul.cuh"

#define THREADS 64

// One thread computes one row of C, so no other thread reads its row of A.
__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.x * THREADS + threadIdx.x;

    if (row < M) {
        float *a = (float *)&A[row * K];
        for (int col = 0; col < N; ++col) {
            float acc = 0.0f;
            for (int k = 0; k < K; ++k) {
                acc += a[k] * B[k * N + col];
            }
            C[row * N + col] = acc;
        }
        for (int k = 0; k < K; ++k) {
            a[k] = 0.0f;
        }
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(M, THREADS));
}
