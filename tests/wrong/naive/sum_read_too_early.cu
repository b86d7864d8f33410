// expect: race 17 19  (the last to add reads the sum without a barrier)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float total[64];
    const int t = threadIdx.x % 64;
    const int row = blockIdx.y;
    const int col = blockIdx.x * 64 + t;
    if (threadIdx.x < 64) {
        total[t] = 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = threadIdx.x / 64; k < K && col < N; k += 4) {
        sum += A[row * K + k] * B[k * N + col];
    }
    atomicAdd(&total[t], sum);
    if (threadIdx.x >= 192 && col < N) {
        C[row * N + col] = total[t];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 64), M);
}
