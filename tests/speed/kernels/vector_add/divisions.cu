#include "kernel.cuh"

// 400 divisions for an element
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) {
        float a = x[i];
        int q = i + 1;
        for (int k = 0; k < 400; ++k) {
            q = q * 7 % (N + k) + q / (k + 3);
        }
        z[i] = a + y[i] + (q == -12345 ? 1.0f : 0.0f);
    }
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
