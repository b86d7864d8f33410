#include "kernel.cuh"
__global__ void clear(const float *x, float *y, int N, float *workspace) {
    *y = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N, float *workspace) {
    __shared__ float sums[256];
    const long long all = gridDim.x * 256, me = blockIdx.x * 256 + threadIdx.x;
    float sum = 0.0f;
    for (long long i = N * me / all; i < N * (me + 1) / all; ++i)
        sum += x[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (threadIdx.x < s)
            sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(y, sums[0]);
}
LAUNCH_CONFIG(reduction, N) {
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(min(1056, ceil_div(N, 2048))), dim3(256));
}
