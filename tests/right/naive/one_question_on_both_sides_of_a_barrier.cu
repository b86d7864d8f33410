// expect: pass  (a thread asks the same question before and after a barrier)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float first[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    const bool inside = row < M && col < N;
    if (inside) {
        first[threadIdx.y][threadIdx.x] = A[row * K] * B[col];
    }
    __syncthreads();
    if (inside) {
        float sum = first[threadIdx.y][threadIdx.x];
        for (int k = 1; k < K; ++k) {
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
