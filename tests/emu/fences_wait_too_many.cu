// 160 blocks can wait at a time; one more, and the last one never begins.
// launch: 1x1x1
// options: budget=400000
// expect: time_limit blocks-wait @wait
// end: stopped
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[0] = 0.0f;
}

__global__ void meet(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    int *arrived = (int *)workspace;
    __threadfence();
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < (int)gridDim.x) {  //@wait
    }
    C[0] = 1.0f;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = 4;
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(meet, dim3(161), dim3(1));
}
