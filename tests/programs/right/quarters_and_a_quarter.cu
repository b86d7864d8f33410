// prints: 255 63
#include <cstdio>
#include <vector>

__global__ void square(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = i;
    }
}

// A quarter at a time, and the quarter of an array of bytes that the program wants.
int main() {
    const int n = 256;
    std::vector<int> x(n, 0);
    std::vector<unsigned char> y(n, 0);
    int *d_x, *d_y;
    unsigned char *d_bytes;
    cudaMalloc((void **)&d_x, n * sizeof(int));
    cudaMalloc((void **)&d_bytes, n);
    square<<<2, 128>>>(d_x, n);
    for (int part = 0; part < 4; ++part) {
        cudaMemcpy(&x[part * n / 4], d_x + part * n / 4, n, cudaMemcpyDeviceToHost);
    }
    d_y = (int *)d_bytes;
    square<<<1, 64>>>(d_y, n / 4);
    cudaMemcpy(y.data(), d_bytes + 63 * 4, 1, cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data() + 1, d_bytes, n / 4, cudaMemcpyDeviceToHost);
    printf("%d %d\n", x[n - 1], y[0]);
    cudaFree(d_x);
    cudaFree(d_bytes);
    return 0;
}
