// expect: race 15 27  (the next values come before the last sum is read)
#include "kernel.cuh"

#define THREADS 256

__global__ void scan(const float *x, float *y, int N)
{
    __shared__ float old[THREADS];
    __shared__ float now[THREADS];
    const int t = threadIdx.x;
    float before = 0.0f;
    for (int start = 0; start < N; start += THREADS) {
        float *from = old;
        float *to = now;
        from[t] = start + t < N ? x[start + t] : 0.0f;
        __syncthreads();  // the values are there
        for (int step = 1; step < THREADS; step *= 2) {
            to[t] = from[t] + (t >= step ? from[t - step] : 0.0f);
            __syncthreads();  // the sums of this step are there
            float *other = from;
            from = to;
            to = other;
        }
        if (start + t < N) {
            y[start + t] = before + from[t];
        }
        before += from[THREADS - 1];
    }
}

LAUNCH_CONFIG(scan, N)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}
