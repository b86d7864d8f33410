// expect: host_race 24 22  (the event is recorded before the kernel that it is for)
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
    cudaEvent_t done;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&done);
    cudaEventRecord(done, first);
    produce<<<1, 64, 0, first>>>(x);
    cudaStreamWaitEvent(second, done, 0);
    consume<<<1, 64, 0, second>>>(x, y);
    cudaDeviceSynchronize();
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
