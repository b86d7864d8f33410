#include "kernel.cuh"
__global__ void clear(const float *x, float *y, int N, float *workspace) {
    *y = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N, float *workspace) {
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256)
        sum += x[i];
    for (int s = 16; s > 0; s /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, s);
    if (threadIdx.x % 32 == 0)
        atomicAdd(y, sum);
}
LAUNCH_CONFIG(reduction, N) {
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(reduction, dim3(min(1056, ceil_div(N, 256))), dim3(256));
}
