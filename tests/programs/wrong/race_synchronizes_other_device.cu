// expect: host_race 19 15  (only device 1 is waited for)
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

int main() {
    int *x;
    cudaMallocManaged(&x, 32 * sizeof(int));

    cudaSetDevice(0);

    count<<<1, 32>>>(x);
    cudaSetDevice(1);
    cudaDeviceSynchronize();

    printf("%d\n", x[31]);

    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
