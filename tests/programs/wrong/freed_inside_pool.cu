// expect: host_freed_inside 10  (the second array is a part of the first)
#include <cuda_runtime.h>

int main() {
    float *pool;
    cudaMalloc(&pool, 1024 * sizeof(float));
    float *x = pool, *y = pool + 512;
    cudaMemset(x, 0, 512 * sizeof(float));
    cudaMemset(y, 0, 512 * sizeof(float));
    cudaFree(y);
    cudaFree(x);
    return 0;
}
