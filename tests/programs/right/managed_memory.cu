// prints: 4096
#include <iostream>

__global__ void add(int n, const float *x, float *y) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride)
        y[i] = x[i] + y[i];
}

int main(void) {
    int N = 1 << 10;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f;
        y[i] = 2.0f;
    }
    add<<<4, 64>>>(N, x, y);
    cudaDeviceSynchronize();
    float sum = 0.0f;
    for (int i = 0; i < N; i++)
        sum += y[i] + 1.0f;
    std::cout << sum << std::endl;
    cudaFree(x);
    cudaFree(y);
    return 0;
}
