// expect: pass  (x is copied by one launch and y is added by the next)
#include "kernel.cuh"

__global__ void copy_x(const float *x, const float *y, float *z, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        z[i] = x[i];
    }
}

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        z[i] += y[i];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    LAUNCH(copy_x, dim3(ceil_div(N, 256)), dim3(256));
    LAUNCH(vector_add, dim3(ceil_div(N, 256)), dim3(256));
}
