// flags: -DN=5 -Iparts
// prints: 5 32
#include <cstdio>

#include "saxpy.cuh"

__global__ void set(int *x) {
    *x = N;
}

int main() {
    int *d_x, x;
    cudaMalloc(&d_x, sizeof x);
    set<<<1, 1>>>(d_x);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    printf("%d %d\n", x, SAXPY_THREADS);
    cudaFree(d_x);
}
