// expect: barrier_divergence 17  (threads outside of C leave the barrier out)
#include "matmul.cuh"

#define EDGE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float result[EDGE][EDGE];
    const int row = blockIdx.y * EDGE + threadIdx.y;
    const int col = blockIdx.x * EDGE + threadIdx.x;
    if (row < M && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        result[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        C[row * N + col] = result[threadIdx.y][threadIdx.x];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(EDGE, EDGE);
    launch->grid = dim3(ceil_div(N, EDGE), ceil_div(M, EDGE));
}
