// expect: host_unset_copied 17  (the number of blocks is rounded down)
#include <vector>

__global__ void square(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = float(i) * i;
    }
}

int main() {
    const int n = 1000;
    std::vector<float> y(n);
    float *d_y;
    cudaMalloc(&d_y, n * sizeof(float));
    square<<<n / 256, 256>>>(d_y, n);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_y);
    return 0;
}
