// expect: pass  (each block but the last needs what the next one hands over)
// launch: 1x640x1
// result: [sum(B[i // 64 * 64 :]) for i in range(N)]
#include "matmul.cuh"

#define THREADS 64

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void sum_from_the_end(const float *A, const float *B, float *C, int M, int N, int K,
                                 float *workspace)
{
    __shared__ float part[THREADS];
    __shared__ float after;
    volatile int *ready = (volatile int *)workspace;
    float *sums = workspace + 32;

    const int t = threadIdx.x;
    const int block = blockIdx.x;
    float own[4] = {B[block * THREADS + t], 0.0f, 0.0f, 0.0f};
    part[t] = own[0];
    __syncthreads();  // all parts are there
    if (t == 0) {
        after = 0.0f;
        if (block + 1 < gridDim.x) {
            while (ready[block + 1] == 0) {
            }
            __threadfence();  // the sum is read after its flag
            after = sums[block + 1];
        }
    }
    __syncthreads();  // the sum of the later blocks is there
    for (int i = 0; i < THREADS; ++i) {
        own[1 + i % 3] += part[i];
    }
    const float sum = own[1] + own[2] + own[3] + after;
    C[block * THREADS + t] = sum;
    if (t == 0) {
        sums[block] = sum;
        __threadfence();  // the sum is there before its flag
        ready[block] = 1;
    }
}

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->workspace_bytes = 4 * 64;
    LAUNCH(clear, dim3(1), dim3(64));
    LAUNCH(sum_from_the_end, dim3(N / THREADS), dim3(THREADS));
}
