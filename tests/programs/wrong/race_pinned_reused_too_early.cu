// expect: host_race 13 15  (the host refills the buffer while it is being copied)
#include <cuda_runtime.h>

int main() {
    const int n = 256;
    int *buffer, *d_x;
    cudaStream_t stream;
    cudaMallocHost(&buffer, n * sizeof(int));
    cudaMalloc(&d_x, 2 * n * sizeof(int));
    cudaStreamCreate(&stream);
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < n; i++) {
            buffer[i] = part * n + i;
        }
        cudaMemcpyAsync(d_x + part * n, buffer, n * sizeof(int), cudaMemcpyHostToDevice, stream);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(d_x);
    cudaFreeHost(buffer);
    return 0;
}
