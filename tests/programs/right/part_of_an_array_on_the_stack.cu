// prints: 40 47
#include <cstdio>

__global__ void fill(int *x) {
    x[threadIdx.x] = threadIdx.x;
}

struct window {
    int before[4];
    int values[8];
};

int main() {
    window seen[2];
    int *x;
    cudaMalloc(&x, 64 * sizeof(int));
    fill<<<1, 64>>>(x);
    cudaMemcpy(seen[1].values, x + 40, sizeof seen[1].values, cudaMemcpyDeviceToHost);
    printf("%d %d\n", seen[1].values[0], seen[1].values[7]);
    cudaFree(x);
}
