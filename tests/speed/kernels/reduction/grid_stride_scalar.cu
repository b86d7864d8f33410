#include "kernel.cuh"
__global__ void clear(const float *x, float *y, int N, float *workspace) {
    *y = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N, float *workspace) {
    __shared__ float sums[256];
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256)
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
    LAUNCH(reduction, dim3(min(1056, ceil_div(N, 256))), dim3(256));
}
