// The second file of two_files.cu.
#include "count_kernel.h"

static __global__ void count(int *total) {
    atomicAdd(total, 1);
}

int count_threads(int blocks, int threads) {
    int *d_total, total;
    cudaMalloc(&d_total, sizeof total);
    cudaMemset(d_total, 0, sizeof total);
    count<<<blocks, threads>>>(d_total);
    cudaMemcpy(&total, d_total, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(d_total);
    return total;
}
