// expect: pass  (the block zeroes its part of C, waits, and adds with atomics)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;
    const bool mine = row < M && col < N;
    if (mine && threadIdx.z == 0) {
        C[row * N + col] = 0.0f;
    }
    __syncthreads();
    if (mine) {
        float sum = 0.0f;
        for (int k = threadIdx.z; k < K; k += 4) {
            sum += A[row * K + k] * B[k * N + col];
        }
        atomicAdd(&C[row * N + col], sum);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(8, 8, 4);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 8));
}
