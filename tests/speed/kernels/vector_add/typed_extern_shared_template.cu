#include "kernel.cuh"

template <typename T> __device__ T *shared_as() {
    extern __shared__ __align__(sizeof(double)) unsigned char my_smem[];
    return reinterpret_cast<T *>(my_smem);
}
__global__ void vector_add(const float *x, const float *y, float *z, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float *s = shared_as<float>();
    if (i < N) {
        s[threadIdx.x] = x[i];
        z[i] = s[threadIdx.x] + y[i];
    }
}
LAUNCH_CONFIG(vector_add, N) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 256));
    launch->shared_bytes = 1024;
}
