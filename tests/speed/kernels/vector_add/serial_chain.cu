#include "kernel.cuh"

// a chain of 2000 dependent square roots
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) {
        float d = 2.0f;
        for (int k = 0; k < 500; ++k) {
            d = sqrtf(d + 2.0f);
        }
        z[i] = x[i] + y[i] + (d > 3.0f ? 1.0f : 0.0f);
    }
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
