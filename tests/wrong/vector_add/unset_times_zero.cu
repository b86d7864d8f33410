// expect: uninitialized  (a correction without a first value, times 0)
#include "kernel.cuh"

#define THREADS 256

__device__ __noinline__ void correct(float *correction, int N)
{
    if (N < 0) {
        *correction = 1.0f;
    }
}

__global__ void vector_add(const float *__restrict__ x, const float *__restrict__ y,
                           float *__restrict__ z, int N)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    float correction;
    correct(&correction, N);
    if (i < N) {
        z[i] = x[i] + y[i] + correction * 0.0f;
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, THREADS));
}
