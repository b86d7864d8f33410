// expect: pass  (the first thread of each block adds, and of the last one)
#include "kernel.cuh"

#define THREADS 64

__global__ void clear(const float *x, float *y, int N, float *workspace)
{
    *(int *)workspace = 0;
}

__global__ void add(const float *x, float *y, int N, float *workspace)
{
    int *drawn = (int *)workspace;
    volatile float *parts = workspace + 1;
    __shared__ float sums[THREADS];
    __shared__ int ticket;
    const int t = threadIdx.x;
    const int i = blockIdx.x * THREADS + t;
    sums[t] = i < N ? x[i] : 0.0f;
    __syncthreads();  // the elements are there
    if (t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < THREADS; ++k) {
            sum += sums[k];
        }
        parts[blockIdx.x] = sum;
        __threadfence();  // the part is there before the ticket
        ticket = atomicAdd(drawn, 1);
    }
    __syncthreads();  // the ticket is known
    if (ticket == gridDim.x - 1 && t == 0) {
        float sum = 0.0f;
        for (int k = 0; k < gridDim.x; ++k) {
            sum += parts[k];
        }
        y[0] = sum;
    }
}

__global__ void reduction(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(reduction, N)
{
    const int blocks = ceil_div(N, THREADS);
    launch->workspace_bytes = sizeof(float) * (1 + blocks);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(blocks), dim3(THREADS));
}
