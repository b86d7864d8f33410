// expect: host_access 16  (the host reads the device's array to print it)
#include <cstdio>

__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = i;
    }
}

int main() {
    int *d_x;
    cudaMalloc(&d_x, 100 * sizeof(int));
    fill<<<1, 128>>>(d_x, 100);
    cudaDeviceSynchronize();
    printf("%d\n", d_x[7]);
    cudaFree(d_x);
    return 0;
}
