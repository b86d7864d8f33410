// expect: pass  (each factor is cut to 11 bits and its rest is added too, so nothing is lost)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            const float a = A[row * K + k];
            const float high = __uint_as_float(__float_as_uint(a) & 0xffffe000u);
            const float low = a - high;
            acc += high * B[k * N + col];
            acc += low * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
