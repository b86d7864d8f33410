// expect: pass  (warps scan by shuffles, and another warp scans their sums)
#include "kernel.cuh"

#define THREADS 256

__device__ float warp_scan(float sum, int width)
{
    const int lane = threadIdx.x % 32;
    #pragma unroll
    for (int step = 1; step < width; step *= 2) {
        const float below = __shfl_up_sync(0xffffffffu, sum, step, width);
        if (lane >= step) {
            sum += below;
        }
    }
    return sum;
}

__device__ float block_scan(float sum)
{
    __shared__ float sums[THREADS / 32];
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    sum = warp_scan(sum, 32);
    if (lane == warpSize - 1) {
        sums[warp] = sum;
    }
    __syncthreads();  // every warp has stored its sum
    if (warp == 0) {
        const float of_warps = warp_scan(lane < THREADS / 32 ? sums[lane] : 0.0f, 32);
        if (lane < THREADS / 32) {
            sums[lane] = of_warps;
        }
    }
    __syncthreads();  // the sums of all warps up to each of them are there
    return warp > 0 ? sum + sums[warp - 1] : sum;
}

__global__ void scan(const float *x, float *y, int N, float *workspace)
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
    __shared__ float last;
    const int blocks = ceil_div(N, THREADS);
    float before = 0.0f;
    for (int start = 0; start < blocks; start += THREADS) {
        const int i = start + threadIdx.x;
        const float sum = before + block_scan(i < blocks ? workspace[i] : 0.0f);
        if (i < blocks) {
            workspace[i] = sum;
        }
        if (threadIdx.x == THREADS - 1) {
            last = sum;
        }
        __syncthreads();  // the sum of this turn is there
        before = last;
        __syncthreads();  // it is read
    }
}

__global__ void add_sums(const float *x, float *y, int N, float *workspace)
{
    __shared__ float before;
    const int i = (blockIdx.x + 1) * THREADS + threadIdx.x;
    if (threadIdx.x == 0) {
        before = workspace[blockIdx.x];
    }
    __syncthreads();  // the sum of all blocks before is there
    if (i < N) {
        y[i] += before;
    }
}

LAUNCH_CONFIG(scan, N)
{
    const int blocks = ceil_div(N, THREADS);
    launch->workspace_bytes = sizeof(float) * blocks;
    LAUNCH(scan, dim3(blocks), dim3(THREADS));
    if (blocks > 1) {
        LAUNCH(scan_sums, dim3(1), dim3(THREADS));
        LAUNCH(add_sums, dim3(blocks - 1), dim3(THREADS));
    }
}
