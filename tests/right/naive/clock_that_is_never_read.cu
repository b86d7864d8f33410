// expect: pass  (a look at the clock stands where no size leads)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        if (K < 0) {
            acc += (float)clock64();
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
