// Atomic operations of two launches need no order, and what they add to is stored by a launch that
// has ended before the first of the two begins.
// launch: 9x11x13
// prints: product right
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void zero(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        C[i] = 0.0f;
    }
}

__global__ void even(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; i < M * N && k < K; k += 2) {
        atomicAdd(&C[i], A[i / N * K + k] * B[k * N + i % N]);
    }
}

__global__ void odd(const float *A, const float *B, float *C, int M, int N, int K,
                    float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 1; i < M * N && k < K; k += 2) {
        atomicAdd(&C[i], A[i / N * K + k] * B[k * N + i % N]);
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * 1;
    LAUNCH(zero, ceil_div(M * N, 64), 64);
    LAUNCH(even, ceil_div(M * N, 64), 64);
    LAUNCH_DEPENDENT(odd, ceil_div(M * N, 64), 64);
}
