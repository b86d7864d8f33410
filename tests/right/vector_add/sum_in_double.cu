// expect: pass  (sums in double, rounded once)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        z[i] = (float)((double)x[i] + (double)y[i]);
    }
}

LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
