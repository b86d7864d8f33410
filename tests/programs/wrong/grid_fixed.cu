// expect: host_uncovered 21 22  (ten blocks are missing)
#include <cstdio>
#include <vector>

#define BLOCKS 6

__global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] *= 2.0f;
    }
}

int main() {
    const int n = 1024;
    std::vector<float> x(n, 1.0f);
    float *d_x;
    const size_t bytes = n * sizeof(float);
    cudaMalloc(&d_x, bytes);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    twice<<<BLOCKS, 64>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    printf("%g %g\n", x[0], x[n - 1]);
    cudaFree(d_x);
    return 0;
}
