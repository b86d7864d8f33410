#include "kernel.cuh"
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    __shared__ float a[256], b[256];
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < N) {
        a[threadIdx.x] = x[i];
        b[threadIdx.x] = y[i];
    }
    __syncthreads();
    if (i < N)
        z[i] = a[threadIdx.x] + b[threadIdx.x];
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
}
