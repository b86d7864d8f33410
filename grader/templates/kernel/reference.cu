// @NAME@: each element twice as large.
//
// Shapes   x and y [N], any N from 1.
// Launch   blocks of THREADS threads, one thread for each element.
// Idea     the numbers of block and thread say which element is mine.
// Limit    8 bytes of memory for one multiplication.
// Source   CUDA C++ Programming Guide, chapter "Kernels".
#include "kernel.cuh"

#define THREADS 256

__global__ void @NAME@(const float *x, float *y, int N) {
    const int i = blockIdx.x * THREADS + threadIdx.x;

    if (i < N) {
        //@cut 1 store twice my element of x in y
        y[i] = 2.0f * x[i];
        //@end
    }
}

LAUNCH_CONFIG(@NAME@, N) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, THREADS));
}
