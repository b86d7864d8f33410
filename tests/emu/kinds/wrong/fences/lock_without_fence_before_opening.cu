// expect: race 40  (the lock may open before the sum is stored)
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
    __shared__ float part[THREADS];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = blockIdx.x * THREADS + t; k < K; k += gridDim.x * THREADS) {
        sum += A[k];
    }
    part[t] = sum;
    __syncthreads();  // all parts are there
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();  // this level is done
    }

    int *lock = (int *)workspace;
    float *total = workspace + 1;
    int *done = (int *)workspace + 2;
    if (t == 0) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();  // what the last holder stored is there
        *total += part[0];
        atomicExch(lock, 0);
        if (atomicAdd(done, 1) == BLOCKS - 1) {
            __threadfence();
            C[0] = *total;
        }
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
