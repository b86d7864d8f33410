// prints: 6 7 1
// prints: 60 70 2
// A constant and a variable of the device for each type.
#include <cstdio>
#include <cuda_runtime.h>

template <typename T> __constant__ T factor[2];
template <class T> __device__ T calls;

template <class T> __global__ void scale(T *x) {
    x[threadIdx.x] *= factor<T>[threadIdx.x];
    if (threadIdx.x == 0) {
        calls<T> += 1;
    }
}

template <class T> void run(const T *factors, int times) {
    T x[2] = {1, 1}, count = 0, *d_x;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(factor<T>, factors, sizeof x);
    for (int i = 0; i < times; i++) {
        scale<T><<<1, 2>>>(d_x);
        cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
        cudaMemcpyFromSymbol(&count, calls<T>, sizeof count);
        T one[2] = {1, 1};
        cudaMemcpyToSymbol(factor<T>, one, sizeof one);
    }
    printf("%g %g %g\n", (double)x[0], (double)x[1], (double)count);
    cudaFree(d_x);
}

int main() {
    const float small[2] = {6, 7};
    const int large[2] = {60, 70};
    run(small, 1);
    run(large, 2);
    return 0;
}
