// expect: race 9 15  (one thread sets 0, the others add to it, and no barrier between)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;
    if (row < M && col < N) {
        if (threadIdx.z == 0) {
            C[row * N + col] = 0.0f;
        }
        float sum = 0.0f;
        for (int k = threadIdx.z; k < K; k += 4) {
            sum += A[row * K + k] * B[k * N + col];
        }
        atomicAdd(&C[row * N + col], sum);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(8, 8, 4);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 8));
}
