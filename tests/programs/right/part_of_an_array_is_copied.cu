// prints: 3
// Only what the kernel has stored is copied back.
#include <cstdio>

__global__ void fill(int *x) {
    x[2 * threadIdx.x] = 3;
}

int main() {
    int *d_x, x[32];
    cudaMalloc(&d_x, 64 * sizeof(int));
    fill<<<1, 32>>>(d_x);
    cudaMemcpy2D(x, sizeof(int), d_x, 2 * sizeof(int), sizeof(int), 32, cudaMemcpyDeviceToHost);
    printf("%d\n", x[31]);
    cudaFree(d_x);
    return 0;
}
