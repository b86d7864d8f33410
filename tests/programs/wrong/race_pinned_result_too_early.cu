// expect: host_race 16 15  (the host reads the result before the copy is done)
#include <cstdio>

__global__ void fill(float *x) {
    x[threadIdx.x] = 2.5f;
}

int main() {
    float *y, *d_y;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaHostAlloc((void **)&y, 32 * sizeof(float), cudaHostAllocDefault);
    cudaMalloc((void **)&d_y, 32 * sizeof(float));
    fill<<<1, 32, 0, stream>>>(d_y);
    cudaMemcpyAsync(y, d_y, 32 * sizeof(float), cudaMemcpyDeviceToHost, stream);
    printf("%.1f\n", y[0]);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(d_y);
    cudaFreeHost(y);
    return 0;
}
