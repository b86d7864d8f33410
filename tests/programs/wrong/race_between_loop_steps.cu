// expect: host_race 16 18  (the next step stores while the last one is still copied)
#include <cuda_runtime.h>

__global__ void step(float *x, float value) {
    x[threadIdx.x] = value;
}

int main() {
    float *d_x, *h_x;
    cudaStream_t compute, copy;
    cudaStreamCreate(&compute);
    cudaStreamCreate(&copy);
    cudaMalloc(&d_x, 64 * sizeof(float));
    cudaMallocHost(&h_x, 3 * 64 * sizeof(float));
    for (int i = 0; i < 3; i++) {
        step<<<1, 64, 0, compute>>>(d_x, float(i));
        cudaStreamSynchronize(compute);
        cudaMemcpyAsync(h_x + 64 * i, d_x, 64 * sizeof(float), cudaMemcpyDeviceToHost, copy);
    }
    cudaStreamSynchronize(copy);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(copy);
    cudaFree(d_x);
    cudaFreeHost(h_x);
    return 0;
}
