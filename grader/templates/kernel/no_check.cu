// expect: out_of_bounds 6  (the last block does not end at N)
#include "kernel.cuh"

__global__ void @NAME@(const float *x, float *y, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    y[i] = 2.0f * x[i];
}

LAUNCH_CONFIG(@NAME@, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
