// expect: pass  (a block of 256 threads in a row, a grid in a row)
#include "matmul.cuh"

#define THREADS 256

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int element = blockIdx.x * THREADS + threadIdx.x;

    if (element < M * N) {
        const int row = element / N;
        const int col = element % N;
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[element] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(M * N, THREADS));
}
