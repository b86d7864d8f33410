// expect: crash 7 14  (the launch is not cooperative)
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void step(float *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1.0f;
    cooperative_groups::this_grid().sync();
    x[blockIdx.x * blockDim.x + threadIdx.x] += x[0];
}

int main() {
    float *x;
    cudaMalloc(&x, 128 * sizeof(float));
    step<<<4, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
