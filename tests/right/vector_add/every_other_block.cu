// expect: pass  (half of the blocks store nothing, so all of them run)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const int i = blockIdx.x / 2 * blockDim.x + threadIdx.x;
    if (blockIdx.x % 2 == 0 && i < N) {
        z[i] = x[i] + y[i];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(256);
    launch->grid = dim3(2 * ceil_div(N, 256));
}
