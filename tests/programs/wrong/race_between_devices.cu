// expect: host_race 25 22  (nothing makes the stream of device 1 wait for the kernel)
#include <cuda_runtime.h>

__global__ void fill(float *x) {
    x[threadIdx.x] = 3.0f;
}

int main() {
    const size_t bytes = 64 * sizeof(float);
    float *here, *there, host[64];
    cudaStream_t first, second;

    cudaSetDevice(0);
    cudaMalloc(&here, bytes);
    cudaStreamCreate(&first);
    cudaSetDevice(1);
    cudaMalloc(&there, bytes);
    cudaStreamCreate(&second);

    cudaSetDevice(0);
    // an event belongs here
    fill<<<1, 64, 0, first>>>(here);

    cudaSetDevice(1);
    cudaMemcpyPeerAsync(there, 1, here, 0, bytes, second);
    cudaMemcpyAsync(host, there, bytes, cudaMemcpyDeviceToHost, second);
    cudaStreamSynchronize(second);

    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(here);
    cudaFree(there);
    return host[0] == 3.0f ? 0 : 1;
}
