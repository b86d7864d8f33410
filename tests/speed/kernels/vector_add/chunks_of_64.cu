#include "kernel.cuh"
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int first = (blockIdx.x * 64 + threadIdx.x) * 64;
    for (int i = first; i < first + 64 && i < N; ++i)
        z[i] = x[i] + y[i];
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(N, 4096));
}
