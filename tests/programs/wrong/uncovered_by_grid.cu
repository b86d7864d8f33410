// expect: host_uncovered 18 19  (the grid is rounded down, and the input's tail comes back)
#include <cstdio>
#include <vector>

__global__ void twice(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] *= 2;
    }
}

int main() {
    const int n = 1000;
    std::vector<int> x(n, 1);
    int *d_x;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    twice<<<n / 256, 256>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", x[0]);
    cudaFree(d_x);
    return 0;
}
