// expect: not_written  (the last elements have no block)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        z[i] = x[i] + y[i];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(256);
    launch->grid = dim3(max(1, N / 256));
}
