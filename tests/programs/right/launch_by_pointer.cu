// prints: 12
#include <cstdio>

__global__ void add(int *x, int a, int b) {
    *x = a + b;
}

int main() {
    int *d_x, x, a = 5, b = 7;
    cudaMalloc(&d_x, sizeof x);
    void *arguments[] = {&d_x, &a, &b};
    cudaLaunchKernel(add, dim3(1), dim3(1), arguments, 0, nullptr);
    void (*kernel)(int *, int, int) = add;
    kernel<<<1, 1>>>(d_x, a, b);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    printf("%d\n", x);
    cudaFree(d_x);
    return 0;
}
