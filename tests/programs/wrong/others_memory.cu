// expect: host_others_memory 5 16  (x is memory of device 0)
#include <cuda_runtime.h>

__global__ void twice(float *x) {
    x[threadIdx.x] *= 2.0f;
}

int main() {
    float host[32] = {1.0f};
    float *x;
    cudaSetDevice(0);
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    cudaSetDevice(1);

    twice<<<1, 32>>>(x);

    cudaDeviceSynchronize();
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return 0;
}
