// expect: pass  (two threads an element, added with atomicAdd after a barrier)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    const int half = threadIdx.z;
    const bool mine = row < M && col < N;

    if (mine && half == 0) {
        C[row * N + col] = 0.0f;
    }
    __syncthreads();  // C is 0 before anyone adds to it

    if (mine) {
        float acc = 0.0f;
        for (int k = half; k < K; k += 2) {
            acc += A[row * K + k] * B[k * N + col];
        }
        atomicAdd(&C[row * N + col], acc);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE, 2);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
