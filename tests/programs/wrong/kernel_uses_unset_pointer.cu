// expect: crash 5 10
#include <cstdio>

__global__ void mark(int *x) {
    x[threadIdx.x] = 1;
}

int main() {
    int *x = reinterpret_cast<int *>(0x123456789000);
    mark<<<1, 32>>>(x);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
