// expect: wrong_result 13  (z holds nothing useful at first)
#include "kernel.cuh"

#define THREADS 128
#define EACH    4

__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int first = blockIdx.x * (EACH * THREADS) + threadIdx.x;

    for (int e = 0; e < EACH; ++e) {
        const int i = first + e * THREADS;
        if (i < N) {
            z[i] += x[i] + y[i];
        }
    }
}

LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, EACH * THREADS));
}
