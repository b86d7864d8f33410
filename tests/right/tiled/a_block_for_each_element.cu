// expect: pass  (a block for each element, at every size)
#include "matmul.cuh"

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[256];
    const int t = threadIdx.x;
    const int row = blockIdx.y;
    const int col = blockIdx.x;
    float sum = 0.0f;
    for (int k = t; k < K; k += 256) {
        sum += A[row * K + k] * B[k * N + col];
    }
    part[t] = sum;
    __syncthreads();
    if (t < 128) part[t] += part[t + 128];
    __syncthreads();
    if (t < 64) part[t] += part[t + 64];
    __syncthreads();
    if (t < 32) part[t] += part[t + 32];
    __syncthreads();
    if (t < 32) {
        float v = part[t];
        for (int step = 16; step > 0; step /= 2) {
            v += __shfl_down_sync(0xffffffffu, v, step);
        }
        if (t == 0) C[row * N + col] = v;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(256);
    launch->grid = dim3(N, M);
}
