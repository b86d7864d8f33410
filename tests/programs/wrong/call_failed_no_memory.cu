// expect: host_call_failed 7  (the array is too large, and nothing looks at the error)
#include <cuda_runtime.h>

int main() {
    float *d_x = nullptr;
    size_t n = size_t(1) << 40;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaDeviceSynchronize();
    cudaFree(d_x);
    return 0;
}
