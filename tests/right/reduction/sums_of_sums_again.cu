// expect: pass  (up to three launches, each adding the sums of the one before)
#include "kernel.cuh"

#define THREADS 512
#define PART    (2 * THREADS)

// Adds PART elements for each block: from holds n elements, and to gets one sum for each block.
__device__ void add_parts(const float *from, float *to, int n)
{
    __shared__ float sums[THREADS];
    const int t = threadIdx.x;
    const int i = blockIdx.x * PART + t;
    sums[t] = (i < n ? from[i] : 0.0f) + (i + THREADS < n ? from[i + THREADS] : 0.0f);
    __syncthreads();  // every thread has stored its sum
    for (int step = 1; step < THREADS; step *= 2) {
        const int at = 2 * step * t;
        if (at < THREADS) {
            sums[at] += sums[at + step];
        }
        __syncthreads();  // the sums of this step are there
    }
    if (t == 0) {
        to[blockIdx.x] = sums[0];
    }
}

__global__ void first(const float *x, float *y, int N, float *workspace)
{
    add_parts(x, N > PART ? workspace : y, N);
}

__global__ void second(const float *x, float *y, int N, float *workspace)
{
    const int n = ceil_div(N, PART);
    add_parts(workspace, n > PART ? workspace + n : y, n);
}

__global__ void third(const float *x, float *y, int N, float *workspace)
{
    const int n = ceil_div(N, PART);
    add_parts(workspace + n, y, ceil_div(n, PART));
}

__global__ void reduction(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(reduction, N)
{
    const int sums = ceil_div(N, PART);
    const int sums_of_sums = ceil_div(sums, PART);
    launch->workspace_bytes = sizeof(float) * (sums + sums_of_sums);
    LAUNCH(first, dim3(sums), dim3(THREADS));
    if (sums > 1) {
        LAUNCH(second, dim3(sums_of_sums), dim3(THREADS));
    }
    if (sums_of_sums > 1) {
        LAUNCH(third, dim3(1), dim3(THREADS));
    }
}
