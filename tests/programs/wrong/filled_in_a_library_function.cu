// expect: host_race 19 18  (std::fill stores in a header; the line is that of its caller)
#include <algorithm>
#include <cstdio>

__global__ void sum(const float *x, float *y) {
    y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x + 32];
}

int main() {
    float *x, *d_x, *d_y, first;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocHost(&x, 64 * sizeof(float));
    cudaMalloc(&d_x, 64 * sizeof(float));
    cudaMalloc(&d_y, 32 * sizeof(float));
    std::fill(x, x + 64, 1.0f);
    const size_t bytes = 64 * sizeof(float);
    cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, stream);
    std::fill(x, x + 64, 2.0f);
    sum<<<1, 32, 0, stream>>>(d_x, d_y);
    cudaStreamSynchronize(stream);
    cudaMemcpy(&first, d_y, sizeof first, cudaMemcpyDeviceToHost);
    printf("%g\n", first);
    cudaFreeHost(x);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaStreamDestroy(stream);
    return 0;
}
