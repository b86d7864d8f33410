// expect: out_of_bounds 6 13(the check of the index is missing)
#include <cuda_runtime.h>

__global__ void scale(float *x, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = factor;
}

int main() {
    const int n = 1000;
    float *d_x;
    cudaMalloc(&d_x, n * sizeof(float));
    scale<<<(n + 255) / 256, 256>>>(d_x, 2.0f);
    cudaDeviceSynchronize();
    cudaFree(d_x);
    return 0;
}
