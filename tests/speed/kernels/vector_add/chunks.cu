#include "kernel.cuh"
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int first = (blockIdx.x * 256 + threadIdx.x) * 8;
    for (int i = first; i < first + 8 && i < N; ++i)
        z[i] = x[i] + y[i];
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 2048));
}
