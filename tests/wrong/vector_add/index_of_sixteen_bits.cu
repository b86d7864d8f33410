// expect: not_written  (from 65536 on the index begins at 0 again)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const unsigned short i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        z[i] = x[i] + y[i];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
