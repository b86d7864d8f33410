// expect: build_error 5
#include <cstdlib>

__global__ void fill(int *values) {
    values[threadIdx.x] = rand() % 10;
}

int main() {
    int *d_values;
    cudaMalloc(&d_values, 32 * sizeof(int));
    fill<<<1, 32>>>(d_values);
    cudaDeviceSynchronize();
    cudaFree(d_values);
    return 0;
}
