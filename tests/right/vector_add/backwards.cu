// expect: pass  (the last thread begins)
#include "kernel.cuh"

__device__ float add(float a, float b)
{
    return a + b;
}

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const int i = N - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= 0) {
        z[i] = add(x[i], y[i]);
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(128);
    launch->grid = dim3(ceil_div(N, 128));
}
