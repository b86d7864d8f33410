// expect: out_of_bounds 5 11 12(the array is freed before the launch)
#include <cuda_runtime.h>

__global__ void fill(int *x) {
    x[threadIdx.x] = 0;
}

int main() {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaFree(x);
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    return 0;
}
