// expect: pass  (a lock that is taken by an exchange and opened by a volatile store)
// launch: 1x1x1000
// result: [sum(A)]
#include "matmul.cuh"

#define THREADS 64
#define BLOCKS  6

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void locked(const float *A, const float *B, float *C, int M, int N, int K,
                       float *workspace)
{
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = blockIdx.x * THREADS + t; k < K; k += gridDim.x * THREADS) {
        sum += A[k];
    }

    int *lock = (int *)workspace;
    float *total = workspace + 1;
    int *done = (int *)workspace + 2;
    while (atomicExch(lock, 1) != 0) {
    }
    __threadfence();  // what the last holder stored is there
    *total += sum;
    __threadfence();  // the sum is stored before the lock opens
    *(volatile int *)lock = 0;
    if (atomicAdd(done, 1) == BLOCKS * THREADS - 1) {
        __threadfence();  // all sums are read after all have added
        C[0] = *total;
    }
}

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->workspace_bytes = 4 * 64;
    LAUNCH(clear, dim3(1), dim3(64));
    LAUNCH(locked, dim3(BLOCKS), dim3(THREADS));
}
