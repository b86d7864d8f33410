// prints: invalid configuration argument
// The program asks, and so learns of the failure itself.
#include <cstdio>

__global__ void nothing() {
}

int main() {
    nothing<<<1, 2048>>>();
    cudaError_t error = cudaGetLastError();
    printf("%s\n", cudaGetErrorString(error));
    nothing<<<1, 32>>>();
    return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : 1;
}
