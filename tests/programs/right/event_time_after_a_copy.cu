// prints: 1 1
#include <cstdio>

__global__ void fill(float *x) {
    x[threadIdx.x] = 1.0f;
}

int main() {
    float *d_x, ms = 0, x = 0;
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMalloc(&d_x, 32 * sizeof(float));
    cudaEventRecord(start);
    fill<<<1, 32>>>(d_x);
    cudaEventRecord(stop);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaEventElapsedTime(&ms, start, stop);
    printf("%g %d\n", x, ms >= 0);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(d_x);
    return 0;
}
