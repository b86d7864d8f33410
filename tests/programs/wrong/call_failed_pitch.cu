// expect: host_call_failed 8  (the pitch is in bytes, not in elements)
#include <cuda_runtime.h>

int main() {
    float x[4][16] = {{0}};
    float *d_x;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy2D(d_x, 16, x, 16 * sizeof(float), 16 * sizeof(float), 4,
                 cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaFree(d_x);
    return 0;
}
