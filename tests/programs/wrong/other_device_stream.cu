// expect: host_other_device 15 11  (the stream belongs to device 0)
#include <cuda_runtime.h>

__global__ void fill(float *x) {
    x[threadIdx.x] = 1.0f;
}

int main() {
    cudaStream_t stream;
    float *x, host[32];
    cudaStreamCreate(&stream);
    cudaSetDevice(1);
    cudaMalloc(&x, sizeof host);

    fill<<<1, 32, 0, stream>>>(x);

    cudaDeviceSynchronize();
    cudaMemset(x, 0, sizeof host);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaStreamDestroy(stream);
    return 0;
}
