// expect: pass  (the sums wait in shared memory for a barrier)
#include "kernel.cuh"

#define THREADS 96

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    __shared__ float sums[THREADS];
    const int i = blockIdx.x * THREADS + threadIdx.x;
    sums[threadIdx.x] = i < N ? x[i] + y[i] : 0.0f;
    __syncthreads();  // another thread stores this sum
    const int other = THREADS - 1 - threadIdx.x;
    const int place = blockIdx.x * THREADS + other;
    if (place < N) {
        z[place] = sums[other];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, THREADS));
}
