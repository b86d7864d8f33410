// expect: race 11 27(the barrier between the rounds is missing)
#include <cuda_runtime.h>

__global__ void sum(const int *x, int *total) {
    __shared__ int part[64];
    int i = threadIdx.x;
    part[i] = x[i];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (i < half) {
            part[i] += part[i + half];
        }
    }
    if (i == 0) {
        *total = part[0];
    }
}

int main() {
    int x[64], total = 0, *d_x, *d_total;
    for (int i = 0; i < 64; i++) {
        x[i] = i;
    }
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_total, sizeof(int));
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sum<<<1, 64>>>(d_x, d_total);
    cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_total);
    return 0;
}
