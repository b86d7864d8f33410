// expect: pass  (the second launch scans in blocks too)
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
        __syncthreads();  // the new sums are there
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
    for (int start = 0; start < ceil_div(N, THREADS); start += 32) {
        const int b = start + threadIdx.x;
        float sum = b < ceil_div(N, THREADS) ? workspace[b] : 0.0f;
        for (int step = 1; step < 32; step *= 2) {
            const float left = __shfl_up_sync(0xffffffff, sum, step);
            sum += threadIdx.x >= step ? left : 0.0f;
        }
        const float left = __shfl_up_sync(0xffffffff, sum, 1);
        if (b < ceil_div(N, THREADS)) {
            workspace[b] = before + (threadIdx.x > 0 ? left : 0.0f);
        }
        before += __shfl_sync(0xffffffff, sum, 31);
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
    LAUNCH(scan_sums, dim3(1), dim3(32));
    LAUNCH(add_sums, dim3(blocks), dim3(THREADS));
}
