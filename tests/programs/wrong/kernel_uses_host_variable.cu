// expect: crash 5 10(the address of a variable on the host's stack is passed)
#include <cuda_runtime.h>

__global__ void count(int *total) {
    atomicAdd(total, 1);
}

int main() {
    int total = 0;
    count<<<1, 32>>>(&total);
    cudaDeviceSynchronize();
    return 0;
}
