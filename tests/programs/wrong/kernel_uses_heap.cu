// expect: ended 3  (the heap of a kernel is not modelled)
#include <cuda_runtime.h>

__global__ void fill(int *x) {
    int *own = new int[4];
    own[0] = 3;
    x[threadIdx.x] = own[0];
    delete[] own;
}

int main() {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    fill<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
