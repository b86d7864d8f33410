// prints: 3
#include <cstdio>

__global__ void add(char *x) {
    x[threadIdx.x] += 2;
}

int main() {
    char *x, first;
    cudaMalloc((void **)&x, 32);
    cudaMemset(x, 1, 32);
    add<<<1, 32>>>(x);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(x);
    return 0;
}
