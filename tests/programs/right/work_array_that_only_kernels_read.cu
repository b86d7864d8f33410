// prints: 496
// A work array is stored and read by kernels, and never copied; its last values serve nothing.
#include <cstdio>

__global__ void first(int *work) {
    work[threadIdx.x] = threadIdx.x;
}

__global__ void second(int *work, int *sum) {
    atomicAdd(sum, work[threadIdx.x]);
    work[threadIdx.x] = 0;
}

int main() {
    int *work, *d_sum, sum;
    cudaMalloc(&work, 32 * sizeof(int));
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemset(d_sum, 0, sizeof sum);
    first<<<1, 32>>>(work);
    second<<<1, 32>>>(work, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    cudaFree(work);
    cudaFree(d_sum);
    return 0;
}
