// expect: host_race 20 19  (the second stream does not wait for the first)
#include <cuda_runtime.h>

__global__ void produce(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

__global__ void consume(const int *x, int *y) {
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

int main() {
    int *x, *y;
    cudaStream_t first, second;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    produce<<<1, 64, 0, first>>>(x);
    consume<<<1, 64, 0, second>>>(x, y);
    cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
