// The wait comes after the first use.
// launch: 9x11x13
// expect: race @read @store workspace
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void copy(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ptx::griddepcontrol_launch_dependents();
    if (i < M * K) {
        workspace[i] = A[i];  //@store
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
        ptx::griddepcontrol_wait();
        C[i] = acc;
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * M * K;
    LAUNCH(copy, ceil_div(M * K, 64), 64);
    LAUNCH_DEPENDENT(multiply, ceil_div(M * N, 64), 64);
}
