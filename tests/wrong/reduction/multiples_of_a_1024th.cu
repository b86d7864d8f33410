// expect: wrong_result  (each element is rounded to a 1024th)
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N, float *w) {
    *(long long *)w = 0;
}

__global__ void add(const float *x, float *y, int N, float *w) {
    long long sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256) {
        sum += (long long)rintf(x[i] * 1024.0f);
    }
    for (int s = 16; s > 0; s /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd((unsigned long long *)w, (unsigned long long)sum);
    }
}

__global__ void last(const float *x, float *y, int N, float *w) {
    y[0] = (float)((double)*(long long *)w / 1024.0);
}

__global__ void reduction(const float *x, float *y, int N) {}

LAUNCH_CONFIG(reduction, N) {
    launch->workspace_bytes = 8;
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(min(264, ceil_div(N, 1024))), dim3(256));
    LAUNCH(last, dim3(1), dim3(1));
}
