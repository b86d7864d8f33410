// Two launches store to C, and the second one does not wait.
// launch: 9x11x13
// expect: race @second @first
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void first(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        C[i] = 0.0f;  //@first
    }
}

__global__ void second(const float *A, const float *B, float *C, int M, int N, int K,
                       float *workspace)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        C[i] = 1.0f;  //@second
    }
    ptx::griddepcontrol_wait();
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * 1;
    LAUNCH(first, ceil_div(M * N, 64), 64);
    LAUNCH_DEPENDENT(second, ceil_div(M * N, 64), 64);
}
