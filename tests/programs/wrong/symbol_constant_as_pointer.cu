// expect: host_symbol 15  (cudaMemcpyToSymbol copies to a __constant__ variable)
#include <cuda_runtime.h>

__constant__ float weights[3];

__global__ void blur(const float *x, float *y, int n) {
    int i = threadIdx.x;
    if (i > 0 && i < n - 1) {
        y[i] = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
    }
}

int main() {
    float w[3] = {0.25f, 0.5f, 0.25f};
    cudaMemcpy(weights, w, sizeof w, cudaMemcpyHostToDevice);
    return 0;
}
