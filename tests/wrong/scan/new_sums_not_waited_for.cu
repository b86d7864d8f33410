// expect: race 13 15  (a step reads sums of the step before)
#include "kernel.cuh"

#define THREADS 256

__device__ float block_scan(float value)
{
    __shared__ float sums[THREADS];
    const int t = threadIdx.x;
    sums[t] = value;
    __syncthreads();  // the values are there
    for (int step = 1; step < THREADS; step *= 2) {
        const float left = t >= step ? sums[t - step] : 0.0f;
        __syncthreads();  // the old sums are read
        sums[t] += left;
    }
    return sums[t];
}

__global__ void scan_blocks(const float *x, float *y, int N, float *workspace)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const float sum = block_scan(i < N ? x[i] : 0.0f);
    if (i < N) {
        y[i] = sum;
    }
    if (threadIdx.x == THREADS - 1) {
        workspace[blockIdx.x] = sum;
    }
}

__global__ void scan_sums(const float *x, float *y, int N, float *workspace)
{
    float before = 0.0f;
    for (int b = 0; b < ceil_div(N, THREADS); ++b) {
        const float sum = workspace[b];
        workspace[b] = before;
        before += sum;
    }
}

__global__ void add_sums(const float *x, float *y, int N, float *workspace)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N) {
        y[i] += workspace[blockIdx.x];
    }
}

__global__ void scan(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(scan, N)
{
    const int blocks = ceil_div(N, THREADS);
    launch->workspace_bytes = sizeof(float) * blocks;
    LAUNCH(scan_blocks, dim3(blocks), dim3(THREADS));
    LAUNCH(scan_sums, dim3(1), dim3(1));
    LAUNCH(add_sums, dim3(blocks), dim3(THREADS));
}
