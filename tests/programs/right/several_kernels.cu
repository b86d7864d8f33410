// prints: 1999000
#include <cstdio>

__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = i;
    }
}

__global__ void sum_blocks(const int *x, int *sums, int n) {
    __shared__ int part[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = part[0];
    }
}

int main() {
    int n = 2000, *x, *y, total = 0;
    cudaMalloc(&x, n * sizeof(int));
    cudaMalloc(&y, n * sizeof(int));
    fill<<<(n + 127) / 128, 128>>>(x, n);
    while (n > 1) {
        int blocks = (n + 127) / 128;
        sum_blocks<<<blocks, 128>>>(x, y, n);
        int *other = x;
        x = y;
        y = other;
        n = blocks;
    }
    cudaMemcpy(&total, x, sizeof total, cudaMemcpyDeviceToHost);
    printf("%d\n", total);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
