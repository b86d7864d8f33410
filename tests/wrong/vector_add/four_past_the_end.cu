// expect: out_of_bounds 10  (the last float4 reaches past the end)
#include "kernel.cuh"

#define THREADS 64

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const int four = blockIdx.x * THREADS + threadIdx.x;
    if (4 * four < N) {
        const float4 a = ((const float4 *)x)[four];
        const float4 b = ((const float4 *)y)[four];
        ((float4 *)z)[four] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    } else {
        for (int i = 4 * four; i < N; ++i) {
            z[i] = x[i] + y[i];
        }
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, 4 * THREADS));
}
