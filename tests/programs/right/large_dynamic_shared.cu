// prints: 16383
#include <cstdio>

__global__ void reverse(int *x, int n) {
    extern __shared__ int tile[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        tile[i] = x[i];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        x[i] = tile[n - 1 - i];
    }
}

int main() {
    const int n = 16384;
    const int bytes = n * sizeof(int);
    int *x = new int[n], *d_x;
    for (int i = 0; i < n; i++) {
        x[i] = i;
    }
    cudaMalloc(&d_x, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    reverse<<<1, 256, bytes>>>(d_x, n);
    if (cudaPeekAtLastError() != cudaSuccess) {
        return 1;
    }
    cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
    printf("%d\n", x[0]);
    cudaFree(d_x);
    delete[] x;
    return 0;
}
