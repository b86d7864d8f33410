// expect: build_error 18
#include <cstdio>

__device__ float square(float x) {
    return x * x;
}

template <class T> __global__ void fill(T *values) {
    values[threadIdx.x] = square(threadIdx.x);
}

int main() {
    float *d_values, last;
    cudaMalloc(&d_values, 32 * sizeof(float));
    fill<<<1, 32>>>(d_values);
    cudaMemcpy(&last, d_values + 31, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(d_values);
    const bool right = last == square(31.0f);
    return right ? 0 : 1;
}
