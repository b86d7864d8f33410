// prints: 4.0 1000
#include <cstdio>

__constant__ float weights[3];
__device__ int calls;
__device__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};

__global__ void blur(float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = weights[0] * table[1] + weights[1] * table[2] + weights[2] * table[3];
        atomicAdd(&calls, 1);
    }
}

int main() {
    const int n = 1000;
    const float w[3] = {0.5f, 1.0f, 0.0f};
    int seen = -1, zero = 0;
    float *d_y, y;
    cudaMemcpyToSymbol(weights, w, sizeof w);
    cudaMemcpyToSymbol(calls, &zero, sizeof zero);
    cudaMalloc(&d_y, n * sizeof(float));
    blur<<<(n + 127) / 128, 128>>>(d_y, n);
    cudaMemcpyFromSymbol(&seen, calls, sizeof seen);
    cudaMemcpy(&y, d_y + n - 1, sizeof y, cudaMemcpyDeviceToHost);
    printf("%.1f %d\n", y, seen);
    cudaFree(d_y);
    return 0;
}
