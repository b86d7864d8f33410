// Two blocks, each of which waits for the other to begin.
// launch: 1x1x1
// options: budget=200000
// expect: time_limit @wait
// end: stopped
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void wait(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    volatile int *flag = (volatile int *)workspace;
    while (flag[1 - blockIdx.x] == 0) {  //@wait
    }
    __threadfence();
    flag[blockIdx.x] = 1;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = 8;
    LAUNCH(clear, dim3(1), dim3(2));
    LAUNCH(wait, dim3(2), dim3(32));
}
