// prints: 2.5 3.5
#include <cstdio>

__global__ void fill(float *x, float value) {
    x[threadIdx.x] = value;
}

int main() {
    float *y, *d_y;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaHostAlloc((void **)&y, 32 * sizeof(float), cudaHostAllocDefault);
    cudaMalloc((void **)&d_y, 32 * sizeof(float));
    fill<<<1, 32, 0, stream>>>(d_y, 2.5f);
    cudaMemcpyAsync(y, d_y, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    float first = y[0];
    y[0] = 0.0f;
    fill<<<1, 32, 0, stream>>>(d_y, 3.5f);
    cudaMemcpyAsync(y, d_y, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaEvent_t copied;
    cudaEventCreate(&copied);
    cudaEventRecord(copied, stream);
    cudaEventSynchronize(copied);
    printf("%.1f %.1f\n", first, y[31]);
    cudaEventDestroy(copied);
    cudaStreamDestroy(stream);
    cudaFree(d_y);
    cudaFreeHost(y);
    return 0;
}
