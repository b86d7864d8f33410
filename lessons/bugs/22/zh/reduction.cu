#include "kernel.cuh"

#define THREADS 128
#define BLOCKS  48

__device__ float tree(float sum)
{
    __shared__ float sums[THREADS];
    const int t = threadIdx.x;
    sums[t] = sum;
    __syncthreads();  // 每个线程都存好了自己的和
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            __syncthreads();  // 这一步的和都在那里了
        }
    }
    return sums[0];
}

__global__ void add_parts(const float *x, float *y, int N, float *workspace)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        sum += x[i];
    }
    sum = tree(sum);
    if (threadIdx.x == 0) {
        workspace[blockIdx.x] = sum;
    }
}

__global__ void add_all(const float *x, float *y, int N, float *workspace)
{
    const int t = threadIdx.x;
    const float sum = tree(t < BLOCKS ? workspace[t] : 0.0f);
    if (t == 0) {
        y[0] = sum;
    }
}

__global__ void reduction(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(reduction, N)
{
    launch->workspace_bytes = sizeof(float) * BLOCKS;
    LAUNCH(add_parts, dim3(BLOCKS), dim3(THREADS));
    LAUNCH(add_all, dim3(1), dim3(THREADS));
}
