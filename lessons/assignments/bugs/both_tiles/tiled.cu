#include "matmul.cuh"

#define SIDE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[SIDE][SIDE];
    __shared__ float right[SIDE][SIDE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int i = blockIdx.y * SIDE + y;
    const int j = blockIdx.x * SIDE + x;
    float sum = 0.0f;

    for (int tile = 0; tile < ceil_div(K, SIDE); ++tile) {
        const int a_column = tile * SIDE + x;
        const int b_row = tile * SIDE + y;

        left[y][x] = i < M && a_column < K ? A[i * K + a_column] : 0.0f;
        __syncthreads();
        right[y][x] = b_row < K && j < N ? B[b_row * N + j] : 0.0f;
        for (int k = 0; k < SIDE; ++k) {
            sum += left[y][k] * right[k][x];
        }
        __syncthreads();
    }
    if (i < M && j < N) {
        C[i * N + j] = sum;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(SIDE, SIDE);
    launch->grid = dim3(ceil_div(N, SIDE), ceil_div(M, SIDE));
}
