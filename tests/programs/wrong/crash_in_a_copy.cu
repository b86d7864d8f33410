// expect: host_crash 7  (the host's array was never allocated)
#include <cuda_runtime.h>

int main() {
    float *x = (float *)64, *d_x;
    cudaMalloc(&d_x, 256);
    cudaMemcpy(d_x, x, 256, cudaMemcpyHostToDevice);
    cudaFree(d_x);
    return 0;
}
