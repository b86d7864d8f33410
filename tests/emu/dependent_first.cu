// No launch is before the first one, so it need not wait.
// launch: 9x11x13
// prints: product right
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K && row < M && col < N; ++k) {
        sum += A[row * K + k] * B[k * N + col];
    }
    if (row < M && col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    LAUNCH_DEPENDENT(matmul_test, dim3(ceil_div(N, 8), ceil_div(M, 8)), dim3(8, 8));
}
