// Adds from the last term to the first.
#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = K - 1; k >= 0; --k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K)
{
    launch->block = dim3(8, 8);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 8));
}
