// expect: host_symbol 13  (cudaMemcpyFromSymbol copies from a __device__ variable)
#include <cuda_runtime.h>

__device__ int counter;

__global__ void count() {
    atomicAdd(&counter, 1);
}

int main() {
    int seen = 0;
    count<<<2, 32>>>();
    cudaMemcpy(&seen, &counter, sizeof seen, cudaMemcpyDeviceToHost);
    return 0;
}
