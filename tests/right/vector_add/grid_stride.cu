// expect: pass  (seven blocks take turns over all elements)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
        z[i] = x[i] + y[i];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(192);
    launch->grid = dim3(min(ceil_div(N, 192), 7));
}
