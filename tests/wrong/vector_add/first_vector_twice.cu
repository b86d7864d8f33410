// expect: wrong_result  (x is added to itself)
#include "kernel.cuh"

#define THREADS 128
#define EACH    4

__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int first = blockIdx.x * (EACH * THREADS) + threadIdx.x;

    for (int e = 0; e < EACH; ++e) {
        const int i = first + e * THREADS;
        if (i < N) {
            z[i] = x[i] + x[i];
        }
    }
}

LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, EACH * THREADS));
}
