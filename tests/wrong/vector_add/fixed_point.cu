// expect: wrong_result  (sums of multiples of 2^-24: values far larger or smaller are lost)
#include "kernel.cuh"

__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) {
        const long long a = (long long)(x[i] * 16777216.0f);
        const long long b = (long long)(y[i] * 16777216.0f);
        z[i] = (float)((double)(a + b) * (1.0 / 16777216.0));
    }
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
