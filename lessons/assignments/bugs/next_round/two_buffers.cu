#include "matmul.cuh"

#define SIDE 16

__global__ void matmul_two_buffers(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[2][SIDE][SIDE];
    __shared__ float right[2][SIDE][SIDE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int i = blockIdx.y * SIDE + y;
    const int j = blockIdx.x * SIDE + x;
    float sum = 0.0f;

    left[0][y][x] = i < M && x < K ? A[i * K + x] : 0.0f;
    right[0][y][x] = y < K && j < N ? B[y * N + j] : 0.0f;
    __syncthreads();

    for (int round = 0; round * SIDE < K; ++round) {
        const int a_column = (round + 1) * SIDE + x;
        const int b_row = (round + 1) * SIDE + y;
        const int next = (round + 1) % 2;

        left[next][y][x] = i < M && a_column < K ? A[i * K + a_column] : 0.0f;
        right[next][y][x] = b_row < K && j < N ? B[b_row * N + j] : 0.0f;
        for (int k = 0; k < SIDE; ++k) {
            sum += left[round % 2][y][k] * right[next][k][x];
        }
        __syncthreads();
    }
    if (i < M && j < N) {
        C[i * N + j] = sum;
    }
}

LAUNCH_CONFIG(matmul_two_buffers, M, N, K)
{
    launch->block = dim3(SIDE, SIDE);
    launch->grid = dim3(ceil_div(N, SIDE), ceil_div(M, SIDE));
}
