#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float part[1024];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = t; k < K; k += 1024) {
        sum += A[blockIdx.y * K + k] * B[k * N + blockIdx.x];
    }
    part[t] = sum;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if (t < half) {
            part[t] += part[t + half];
        }
        __syncthreads();
    }
    if (t == 0) {
        C[blockIdx.y * N + blockIdx.x] = part[0];
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(1024);
    launch->grid = dim3(N, M);
}
