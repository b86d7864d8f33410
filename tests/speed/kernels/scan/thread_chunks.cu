#include "kernel.cuh"
#define T    256
#define EACH 16
#define PART (T * EACH)
__global__ void sums(const float *x, float *y, int N, float *workspace) {
    __shared__ float v[T];
    const int first = blockIdx.x * PART + threadIdx.x * EACH;
    float sum = 0.0f;
    for (int i = first; i < first + EACH && i < N; ++i)
        sum += x[i];
    v[threadIdx.x] = sum;
    __syncthreads();
    for (int s = T / 2; s > 0; s /= 2) {
        if (threadIdx.x < s)
            v[threadIdx.x] += v[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        workspace[blockIdx.x] = v[0];
}
__global__ void middle(const float *x, float *y, int N, float *workspace) {
    float before = 0.0f;
    for (int i = 0; i < ceil_div(N, PART); ++i) {
        const float mine = workspace[i];
        workspace[i] = before;
        before += mine;
    }
}
__global__ void scan(const float *x, float *y, int N, float *workspace) {
    __shared__ float v[T];
    const int first = blockIdx.x * PART + threadIdx.x * EACH;
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = first; i < first + EACH && i < N; ++i)
        sum += x[i];
    v[t] = sum;
    __syncthreads();
    for (int s = 1; s < T; s *= 2) {
        const float other = t >= s ? v[t - s] : 0.0f;
        __syncthreads();
        v[t] += other;
        __syncthreads();
    }
    float before = workspace[blockIdx.x] + (t > 0 ? v[t - 1] : 0.0f);
    for (int i = first; i < first + EACH && i < N; ++i) {
        before += x[i];
        y[i] = before;
    }
}
LAUNCH_CONFIG(scan, N) {
    launch->workspace_bytes = 4 * ceil_div(N, PART);
    LAUNCH(sums, dim3(ceil_div(N, PART)), dim3(T));
    LAUNCH(middle, dim3(1), dim3(1));
    LAUNCH(scan, dim3(ceil_div(N, PART)), dim3(T));
}
