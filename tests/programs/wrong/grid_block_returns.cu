// expect: barrier_divergence 11 20  (blocks 2 and 3 never come to the barrier)
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void step(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    x[i] = 1.0f;
    cooperative_groups::this_grid().sync();
    x[i] += x[n - 1 - i];
}

int main() {
    int n = 64;
    float *x;
    cudaMalloc(&x, n * sizeof(float));
    void *arguments[] = {&x, &n};
    cudaLaunchCooperativeKernel((void *)step, 4, 32, arguments);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
