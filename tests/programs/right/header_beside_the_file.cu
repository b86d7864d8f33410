// prints: 32 7
#include <cstdio>

#include "parts/saxpy.cuh"

int main() {
    float *x, *y, seen;
    cudaMalloc(&x, SAXPY_THREADS * sizeof(float));
    cudaMalloc(&y, SAXPY_THREADS * sizeof(float));
    saxpy_fill<<<1, SAXPY_THREADS>>>(x, 2.0f);
    saxpy_fill<<<1, SAXPY_THREADS>>>(y, 1.0f);
    saxpy<<<1, SAXPY_THREADS>>>(3.0f, x, y);
    cudaMemcpy(&seen, y + 5, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%d %g\n", SAXPY_THREADS, seen);
    cudaFree(x);
    cudaFree(y);
}
