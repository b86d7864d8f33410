// expect: build_error 9
#include <cstdio>

int twice(int x) {
    return 2 * x;
}

__global__ void fill(int *values) {
    values[threadIdx.x] = twice(threadIdx.x);
}

int main() {
    int *d_values, last;
    cudaMalloc(&d_values, 32 * sizeof(int));
    fill<<<1, 32>>>(d_values);
    cudaMemcpy(&last, d_values + 31, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d %d\n", last, twice(1));
    cudaFree(d_values);
    return 0;
}
