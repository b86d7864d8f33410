// expect: not_written  (nothing is stored)
#include "kernel.cuh"

__global__ void @NAME@(const float *x, float *y, int N) {
    (void)x, (void)y, (void)N;
}

LAUNCH_CONFIG(@NAME@, N) {
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
