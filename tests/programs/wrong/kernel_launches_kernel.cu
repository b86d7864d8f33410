// expect: ended 3  (dynamic parallelism is not modelled)
#include <cuda_runtime.h>

__global__ void child(int *x) {
    x[threadIdx.x] = 1;
}

__global__ void parent(int *x) {
    child<<<1, 32>>>(x);
}

int main() {
    int *x;
    cudaMalloc(&x, 32 * sizeof(int));
    parent<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
