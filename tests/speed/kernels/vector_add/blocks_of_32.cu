#include "kernel.cuh"
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i < N)
        z[i] = x[i] + y[i];
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(32);
    launch->grid = dim3(ceil_div(N, 32));
}
