// expect: host_leak 7  (the second array is never freed)
#include <cuda_runtime.h>

int main() {
    float *d_x, *d_y;
    cudaMalloc(&d_x, 256);
    cudaMalloc(&d_y, 512);
    cudaFree(d_x);
    return 0;
}
