// expect: host_past_host 17
#include <cstdio>

__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = i;
    }
}

int main() {
    int first[8];
    int *x;
    const int n = 4096;
    cudaMalloc(&x, n * sizeof(int));
    fill<<<n / 256, 256>>>(x, n);
    cudaMemcpy(first, x, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", first[7]);
    cudaFree(x);
}
