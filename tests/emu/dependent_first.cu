// No launch is before the first one.
// launch: 9x11x13
// end: no configuration
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

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = sizeof(float) * M * K;
    LAUNCH_DEPENDENT(copy, ceil_div(M * K, 64), 64);
}
