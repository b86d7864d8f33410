// expect: uninitialized 17  (block 0 fills the shared copy, and all blocks read theirs)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float a[16][64];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 64) {
        if (blockIdx.x == 0) {
            for (int k = threadIdx.x; k < 64; k += 16) {
                a[threadIdx.y][k] = row < M && k0 + k < K ? A[row * K + k0 + k] : 0.0f;
            }
        }
        __syncthreads();
        for (int k = 0; k < 64 && k0 + k < K && col < N; ++k) {
            sum += a[threadIdx.y][k] * B[(k0 + k) * N + col];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
