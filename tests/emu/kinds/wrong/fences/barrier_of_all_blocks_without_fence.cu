// expect: race 21 32  (a block may be seen to arrive before its values)
// launch: 1x256x1
// result: [sum(B)] * N
#include "matmul.cuh"

#define THREADS 64
#define BLOCKS  4

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void two_steps(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace)
{
    int *arrived = (int *)workspace;
    float *sums = workspace + 1;
    const int t = threadIdx.x;
    sums[blockIdx.x * THREADS + t] = B[blockIdx.x * THREADS + t];
    __syncthreads();  // all values of this block are there
    if (t == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < BLOCKS) {
        }
        __threadfence();  // their values are read after they arrived
    }
    __syncthreads();  // all blocks have arrived
    float sum = 0.0f;
    for (int i = 0; i < N; ++i) {
        sum += sums[i];
    }
    C[blockIdx.x * THREADS + t] = sum;
}

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->workspace_bytes = 4 * (N + 64);
    LAUNCH(clear, dim3(1), dim3(64));
    LAUNCH(two_steps, dim3(BLOCKS), dim3(THREADS));
}
