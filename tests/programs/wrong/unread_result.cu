// expect: host_unread 17  (the result is never copied back)
#include <cstdio>
#include <vector>

__global__ void fill(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = 1.0f;
    }
}

int main() {
    const int n = 300;
    std::vector<float> y(n);
    float *d_y;
    cudaMalloc(&d_y, n * sizeof(float));
    fill<<<2, 256>>>(d_y, n);
    cudaDeviceSynchronize();
    printf("%g\n", y[0]);
    cudaFree(d_y);
    return 0;
}
