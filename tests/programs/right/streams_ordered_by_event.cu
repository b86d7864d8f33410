// prints: 64
#include <cstdio>

__global__ void produce(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

__global__ void consume(const int *x, int *y) {
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

int main() {
    int *x, *y, last = 0;
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMalloc(&y, 64 * sizeof(int));
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    produce<<<1, 64, 0, first>>>(x);
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
    consume<<<1, 64, 0, second>>>(x, y);
    cudaMemcpyAsync(&last, y + 63, sizeof last, cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);
    printf("%d\n", last);
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
