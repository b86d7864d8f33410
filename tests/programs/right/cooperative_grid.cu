// prints: 40 blocks, sum 130816, last 511
// A grid that meets: each block adds its part, then all divide by the sum of all blocks.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void scale(const float *x, float *y, float *part, float *sum, int n) {
    cg::grid_group grid = cg::this_grid();
    __shared__ float own;
    if (threadIdx.x == 0) {
        own = 0.0f;
    }
    __syncthreads();
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
        atomicAdd(&own, x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        part[blockIdx.x] = own;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        float all = 0.0f;
        for (int b = 0; b < gridDim.x; b++) {
            all += part[b];
        }
        *sum = all;
    }
    grid.sync();
    for (unsigned i = grid.thread_rank(); i < n; i += grid.num_threads()) {
        y[i] = x[i] / *sum * *sum;
    }
}

int main() {
    int n = 512, blocks = 40;
    float x[512], *d_x, *d_y, *d_part, *d_sum, sum, last;
    for (int i = 0; i < n; i++) {
        x[i] = i;
    }
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof x);
    cudaMalloc(&d_part, blocks * sizeof(float));
    cudaMalloc(&d_sum, sizeof(float));
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);

    void *arguments[] = {&d_x, &d_y, &d_part, &d_sum, &n};
    if (cudaLaunchCooperativeKernel((void *)scale, dim3(blocks), dim3(64), arguments, 0, 0)) {
        return 1;
    }

    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    cudaMemcpy(&last, d_y + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d blocks, sum %g, last %g\n", blocks, sum, last);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_part);
    cudaFree(d_sum);
    return 0;
}
