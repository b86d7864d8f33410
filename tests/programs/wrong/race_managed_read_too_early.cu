// expect: host_race 12 11  (the host does not wait for the kernel)
#include <cstdio>

__global__ void fill(int *x) {
    x[threadIdx.x] = 3;
}

int main() {
    int *x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    fill<<<1, 64>>>(x);
    printf("%d\n", x[5]);
    cudaDeviceSynchronize();
    cudaFree(x);
    return 0;
}
