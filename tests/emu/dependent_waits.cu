// Launches that overlap, and wait before they use what an earlier one stores: each thread, one
// thread before a barrier, and one only so that the next launch may rely on the first.
// row: `LAUNCH_DEPENDENT`; `ptx.cuh`: `griddepcontrol` (programmatic dependent launch)
// launch: 9x11x13
// prints: product right
// spread: no
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

__global__ void copy_after(const float *A, const float *B, float *C, int M, int N, int K,
                           float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    ptx::griddepcontrol_launch_dependents();
    if (i < K * N) {
        workspace[M * K + i] = B[i];  // another part than that of the first launch
    }
    ptx::griddepcontrol_wait();
}

__global__ void multiply(const float *A, const float *B, float *C, int M, int N, int K,
                         float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *rows = workspace, *columns = workspace + M * K;
    float acc = i < M * N ? -A[i / N * K] * B[i % N] : 0.0f;  // inputs need no wait
    if (threadIdx.x == 0) {
        ptx::griddepcontrol_wait();
    }
    __syncthreads();
    if (i < M * N) {
        for (int k = 0; k < K; k++) {
            acc += rows[i / N * K + k] * columns[k * N + i % N];
        }
        C[i] = acc;
    }
}

__global__ void add(const float *A, const float *B, float *C, int M, int N, int K,
                    float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float rest = A[i / N * K] * B[i % N];
        ptx::griddepcontrol_wait();
        C[i] += rest;
    }
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * (M + N) * K;
    LAUNCH(copy, ceil_div(M * K, 64), 64);
    LAUNCH_DEPENDENT(copy_after, ceil_div(K * N, 64), 64);
    LAUNCH_DEPENDENT(multiply, ceil_div(M * N, 64), 64);
    LAUNCH_DEPENDENT(add, ceil_div(M * N, 64), 64);
}
