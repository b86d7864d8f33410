// expect: pass  (the maximum of floats by a loop of atomicCAS, whose first load is a guess)
#include "kernel.cuh"

#define THREADS 64

__device__ float atomic_max(float *address, float value)
{
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__global__ void softmax(const float *x, float *y, int H, int W)
{
    __shared__ float most, sum;
    const float *from = x + blockIdx.x * W;
    const int t = threadIdx.x;
    if (t == 0) {
        most = -INFINITY;
        sum = 0.0f;
    }
    __syncthreads();
    for (int i = t; i < W; i += THREADS) {
        atomic_max(&most, from[i]);
    }
    __syncthreads();
    for (int i = t; i < W; i += THREADS) {
        atomicAdd(&sum, expf(from[i] - most));
    }
    __syncthreads();
    for (int i = t; i < W; i += THREADS) {
        y[blockIdx.x * W + i] = expf(from[i] - most) / sum;
    }
}

LAUNCH_CONFIG(softmax, H, W)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(H);
}
