// expect: uninitialized 12  (weight is read and was never given a value)
//
// Shapes: A is M x K, B is K x N, C is M x N, row-major.
// Launch: 16 x 16 threads a block, one element of C each.
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float weight;
    float sum = 0.0f * weight;
    if (row < M && col < N) {
        for (int k = 0; k < K; k++) {
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
