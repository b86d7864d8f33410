#include "kernel.cuh"
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    for (int i = blockIdx.x * 1024 + threadIdx.x; i < N; i += gridDim.x * 1024)
        z[i] = x[i] + y[i];
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(1024);
    launch->grid = dim3(min(132, ceil_div(N, 1024)));
}
