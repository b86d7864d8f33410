// expect: wrong_result 17  (y holds nothing useful at first)
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N)
{
    y[0] = 0.0f;
}

__global__ void reduction(const float *x, float *y, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = i < N ? x[i] : 0.0f;
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(y, sum);
    }
}

LAUNCH_CONFIG(reduction, N)
{
    LAUNCH(reduction, dim3(ceil_div(N, 256)), dim3(256));
}
