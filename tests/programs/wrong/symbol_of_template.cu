// expect: host_symbol 15  (the name of a variable of a template is no pointer either)
#include <cuda_runtime.h>

template <class T> __device__ T table[8];

template <class T> __global__ void fill(T *x) {
    x[threadIdx.x] = table<T>[threadIdx.x];
}

int main() {
    float host[8] = {1.0f}, *x;
    cudaMalloc(&x, sizeof host);
    cudaMemcpyToSymbol(table<float>, host, sizeof host);
    fill<float><<<1, 8>>>(x);
    cudaMemcpy(host, table<float>, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return 0;
}
