// expect: host_launch_failed 15  (2 blocks of 1024 threads fit on each of the 132 SMs)
#include <cooperative_groups.h>
#include <cuda_runtime.h>

__global__ void step(float *x) {
    x[blockIdx.x] = 1.0f;
    cooperative_groups::this_grid().sync();
}

int main() {
    float *x;
    const int blocks = 2 * 132 + 1;
    cudaMalloc(&x, blocks * sizeof(float));
    void *arguments[] = {&x};
    cudaLaunchCooperativeKernel((void *)step, blocks, 1024, arguments);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
