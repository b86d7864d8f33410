// expect: uninitialized 7 17 18(only a quarter of the input was copied)
#include <vector>

__global__ void add(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i] + 1.0f;
    }
}

int main() {
    const int n = 100;
    std::vector<float> x(n, 1.0f), y(n);
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n, cudaMemcpyHostToDevice);
    add<<<1, 128>>>(d_x, d_y, n);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    return 0;
}
