// expect: race 11 17  (the blocks that add may run before the one that clears)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (row >= M || col >= N) {
        return;
    }
    if (blockIdx.z == 0) {
        atomicExch(&C[row * N + col], 0.0f);
    }
    float sum = 0;
    for (int k = blockIdx.z; k < K; k += 2) {
        sum += A[row * K + k] * B[k * N + col];
    }
    atomicAdd(&C[row * N + col], sum);
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16), 2);
}
