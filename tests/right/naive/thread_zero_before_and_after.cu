// expect: pass  (thread 0 prepares, all wait, thread 0 finishes)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    __shared__ int rows;
    const bool boss = threadIdx.x == 0 && threadIdx.y == 0;
    if (boss) {
        rows = M;
    }
    __syncthreads();
    if (boss && rows != M) {
        printf("never\n");
    }
    if (row < rows && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
