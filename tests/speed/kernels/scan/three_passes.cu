#include "kernel.cuh"
#define T    256
#define EACH 16
#define PART (T * EACH)
__device__ float block_scan(float mine, float *v) {
    const int t = threadIdx.x;
    v[t] = mine;
    __syncthreads();
    for (int s = 1; s < T; s *= 2) {
        const float other = t >= s ? v[t - s] : 0.0f;
        __syncthreads();
        v[t] += other;
        __syncthreads();
    }
    return v[t];
}
__global__ void sums(const float *x, float *y, int N, float *workspace) {
    __shared__ float v[T];
    float sum = 0.0f;
    for (int k = 0; k < EACH; ++k) {
        const int i = blockIdx.x * PART + k * T + threadIdx.x;
        sum += i < N ? x[i] : 0.0f;
    }
    sum = block_scan(sum, v);
    if (threadIdx.x == T - 1)
        workspace[blockIdx.x] = sum;
}
__global__ void middle(const float *x, float *y, int N, float *workspace) {
    __shared__ float v[T];
    const int parts = ceil_div(N, PART);
    float before = 0.0f;
    for (int start = 0; start < parts; start += T) {
        const int i = start + threadIdx.x;
        const float mine = i < parts ? workspace[i] : 0.0f;
        const float upto = block_scan(mine, v);
        if (i < parts)
            workspace[i] = before + upto - mine;
        before += v[T - 1];
        __syncthreads();
    }
}
__global__ void scan(const float *x, float *y, int N, float *workspace) {
    __shared__ float v[T];
    float before = workspace[blockIdx.x];
    for (int k = 0; k < EACH; ++k) {
        const int i = blockIdx.x * PART + k * T + threadIdx.x;
        const float upto = block_scan(i < N ? x[i] : 0.0f, v);
        if (i < N)
            y[i] = before + upto;
        before += v[T - 1];
        __syncthreads();
    }
}
LAUNCH_CONFIG(scan, N) {
    launch->workspace_bytes = 4 * ceil_div(N, PART);
    LAUNCH(sums, dim3(ceil_div(N, PART)), dim3(T));
    LAUNCH(middle, dim3(1), dim3(T));
    LAUNCH(scan, dim3(ceil_div(N, PART)), dim3(T));
}
