// expect: host_filled_bytes 12  (the allocation does not know that x has floats)
#include <cstdio>

__global__ void twice(const float *x, float *y) {
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}

int main() {
    float *x, *y, first;
    cudaMalloc((void **)&x, 32 * sizeof(float));
    cudaMalloc((void **)&y, 32 * sizeof(float));
    cudaMemset(x, 1, 32 * sizeof(float));
    twice<<<1, 32>>>(x, y);
    cudaMemcpy(&first, y, sizeof first, cudaMemcpyDeviceToHost);
    printf("%g\n", first);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
