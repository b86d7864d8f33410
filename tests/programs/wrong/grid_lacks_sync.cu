// expect: race 12 14 24  (a barrier of the block does not order the blocks)
#include <cooperative_groups.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void step(float *x, float *y, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    y[i] = 0.0f;
    grid.sync();
    x[i] = i;
    __syncthreads();
    y[i] = x[n - 1 - i];
}

int main() {
    int n = 128;
    float *x, *y, host[128];
    cudaMalloc(&x, sizeof host);
    cudaMalloc(&y, sizeof host);
    cudaMemset(x, 0, sizeof host);
    void *arguments[] = {&x, &y, &n};
    cudaLaunchCooperativeKernel((void *)step, 4, 32, arguments);
    cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
