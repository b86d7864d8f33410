// expect: not_written  (one block, whose threads take no turns)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += N) {
        z[i] = x[i] + y[i];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(192);
    launch->grid = dim3(1);
}
