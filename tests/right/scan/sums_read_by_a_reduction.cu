// expect: pass  (each block adds all sums before it)
#include "kernel.cuh"

#define PART 1024

__global__ void add_parts(const float *x, float *y, int N, float *workspace)
{
    float sum = 0.0f;
    for (int i = threadIdx.x; i < PART; i += 32) {
        const int place = blockIdx.x * PART + i;
        sum += place < N ? x[place] : 0.0f;
    }
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    if (threadIdx.x == 0) {
        workspace[blockIdx.x] = sum;
    }
}

__global__ void scan_parts(const float *x, float *y, int N, float *workspace)
{
    float before = 0.0f;
    for (int b = threadIdx.x; b < blockIdx.x; b += 32) {
        before += workspace[b];
    }
    for (int step = 16; step > 0; step /= 2) {
        before += __shfl_xor_sync(0xffffffff, before, step);
    }
    for (int i = threadIdx.x; i < PART; i += 32) {
        const int place = blockIdx.x * PART + i;
        float sum = place < N ? x[place] : 0.0f;
        for (int step = 1; step < 32; step *= 2) {
            const float left = __shfl_up_sync(0xffffffff, sum, step);
            sum += threadIdx.x >= step ? left : 0.0f;
        }
        if (place < N) {
            y[place] = before + sum;
        }
        before += __shfl_sync(0xffffffff, sum, 31);
    }
}

__global__ void scan(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(scan, N)
{
    const int parts = ceil_div(N, PART);
    launch->workspace_bytes = sizeof(float) * parts;
    LAUNCH(add_parts, dim3(parts), dim3(32));
    LAUNCH(scan_parts, dim3(parts), dim3(32));
}
