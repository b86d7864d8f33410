// expect: host_few_bytes 18  (n bytes in place of n elements)
#include <cstdio>
#include <vector>

__global__ void square(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = i * i;
    }
}

int main() {
    const int n = 256;
    std::vector<int> x(n, 0);
    int *d_x;
    cudaMalloc((void **)&d_x, n * sizeof(int));
    square<<<2, 128>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n, cudaMemcpyDeviceToHost);
    printf("%d\n", x[n - 1]);
    cudaFree(d_x);
    return 0;
}
