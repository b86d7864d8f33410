#include "kernel.cuh"

#define LENGTH 64

__global__ void vector_add(const float *x, const float *y, float *z, int N)
{
    const int mine = blockIdx.x * LENGTH + threadIdx.x;
    const int fours = N / 4;

    if (mine < fours) {
        const float4 a = ((const float4 *)x)[mine];
        const float4 b = ((const float4 *)y)[mine];
        ((float4 *)z)[mine] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
    } else if (mine == fours && N % 4 > 0) {
        z[4 * fours] = x[4 * fours] + y[4 * fours];
    }
}

LAUNCH_CONFIG(vector_add, N)
{
    launch->block = dim3(LENGTH);
    launch->grid = dim3(ceil_div(N, 4 * LENGTH));
}
