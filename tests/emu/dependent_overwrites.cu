// A launch overwrites what the one before still reads.
// launch: 9x11x13
// expect: race @overwrite @read workspace
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ptx::griddepcontrol_launch_dependents();
    if (i < M * K) {
        workspace[i] = A[i];
    }
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K,
                         float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float acc = 0.0f;
        for (int k = 0; k < K; k++) {
            acc += workspace[i / N * K + k] * B[k * N + i % N];  //@read
        }
        C[i] = acc;
    }
}

__global__ void overwrite(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * K) {
        workspace[i] = 0.0f;  //@overwrite
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * M * K;
    LAUNCH(copy, ceil_div(M * K, 64), 64);
    LAUNCH(multiply, ceil_div(M * N, 64), 64);
    LAUNCH_DEPENDENT(overwrite, ceil_div(M * K, 64), 64);
}
