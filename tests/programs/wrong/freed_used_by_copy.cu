// expect: host_freed_used 13 12  (the array is freed before the result is copied)
#include <cuda_runtime.h>

__global__ void one(int *x) {
    *x = 1;
}

int main() {
    int *d_x, x = 0;
    cudaMalloc(&d_x, sizeof(int));
    one<<<1, 1>>>(d_x);
    cudaFree(d_x);
    cudaMemcpy(&x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    return x - 1;
}
