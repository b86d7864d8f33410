// The second file of line_of_another_file.cu: line 4 goes past the end.
static __global__ void twice_each(int *values) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    values[at] *= 2;
}

void twice(int *values, int count) {
    int *d_values;
    cudaMalloc(&d_values, count * sizeof(int));
    cudaMemcpy(d_values, values, count * sizeof(int), cudaMemcpyHostToDevice);
    twice_each<<<2, 32>>>(d_values);
    cudaMemcpy(values, d_values, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_values);
}
