// expect: host_past_device 9  (cudaMalloc was given a number of elements)
#include <vector>

int main() {
    const int n = 1000;
    std::vector<float> x(n, 1.0f);
    float *d_x;
    cudaMalloc(&d_x, n);
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(d_x);
    return 0;
}
