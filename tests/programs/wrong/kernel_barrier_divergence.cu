// expect: barrier_divergence 9 20(half of the threads call no barrier)
#include <cuda_runtime.h>

__global__ void shift(int *x) {
    __shared__ int tile[64];
    int i = threadIdx.x;
    tile[i] = x[i];
    if (i < 32) {
        __syncthreads();
        x[i] = tile[i];
    } else {
        x[i] = 0;
    }
}

int main() {
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    shift<<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
