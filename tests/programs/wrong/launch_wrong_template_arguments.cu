// expect: build_error 11
template <class T> __global__ void fill(T *values, T value, int count) {
    if (threadIdx.x < count) {
        values[threadIdx.x] = value;
    }
}

int main() {
    float *d_values;
    cudaMalloc(&d_values, 32 * sizeof(float));
    fill<<<1, 32>>>(d_values, 1, 32);
    cudaFree(d_values);
    return 0;
}
