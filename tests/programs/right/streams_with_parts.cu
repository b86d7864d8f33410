// prints: 0 1022
// A buffer for each stream: copies and kernels of different parts touch different memory.
#include <cstdio>

__global__ void twice(int *x) {
    x[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

int main() {
    const int n = 512, parts = 4, size = n / parts;
    int *h, *d;
    cudaStream_t stream[parts];
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    for (int i = 0; i < n; i++) {
        h[i] = i;
    }
    for (int p = 0; p < parts; p++) {
        cudaStreamCreate(&stream[p]);
        int at = p * size;
        cudaMemcpyAsync(d + at, h + at, size * sizeof(int), cudaMemcpyHostToDevice, stream[p]);
        twice<<<size / 32, 32, 0, stream[p]>>>(d + at);
        cudaMemcpyAsync(h + at, d + at, size * sizeof(int), cudaMemcpyDeviceToHost, stream[p]);
    }
    for (int p = 0; p < parts; p++) {
        cudaStreamSynchronize(stream[p]);
        cudaStreamDestroy(stream[p]);
    }
    printf("%d %d\n", h[0], h[n - 1]);
    cudaFree(d);
    cudaFreeHost(h);
}
