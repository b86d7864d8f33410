// Blocks that touch nothing of each other's can be shared by processes, also at ragged sizes.
// launch: 35x18x7
// gap: none
// spread: yes
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[8][8];
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;
    As[threadIdx.y][threadIdx.x] = row < M && threadIdx.x < K ? A[row * K + threadIdx.x] : 0.0f;
    __syncthreads();
    float acc = 0.0f;
    for (int k = 0; k < K; k++) {
        acc += col < N ? As[threadIdx.y][k] * B[k * N + col] : 0.0f;
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8, 8);
    launch->grid = dim3((N + 7) / 8, (M + 7) / 8);
}
