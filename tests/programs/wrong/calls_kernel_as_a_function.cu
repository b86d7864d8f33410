// expect: build_error 9
__global__ void fill(int *values) {
    values[threadIdx.x] = 1;
}

int main() {
    int *d_values;
    cudaMalloc(&d_values, 32 * sizeof(int));
    fill(d_values);
    cudaDeviceSynchronize();
    cudaFree(d_values);
    return 0;
}
