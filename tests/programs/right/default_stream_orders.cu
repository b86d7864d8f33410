// prints: 7
// A stream that blocks waits for the default stream, and the default stream for it.
#include <cstdio>

__global__ void set(int *x, int value) {
    *x = value;
}

__global__ void add(int *x, int value) {
    *x += value;
}

int main() {
    int *x, seen = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, sizeof(int));
    set<<<1, 1>>>(x, 1);
    add<<<1, 1, 0, stream>>>(x, 2);
    add<<<1, 1>>>(x, 4);
    cudaMemcpy(&seen, x, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%d\n", seen);
    cudaStreamDestroy(stream);
    cudaFree(x);
}
