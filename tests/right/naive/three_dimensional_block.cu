// expect: pass  (z splits the sum; the parts meet in shared memory)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float part[4][8][8];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int tz = threadIdx.z;
    const int row = blockIdx.y * 8 + ty;
    const int col = blockIdx.x * 8 + tx;
    float sum = 0.0f;
    if (row < M && col < N) {
        for (int k = tz; k < K; k += 4) {
            sum += A[row * K + k] * B[k * N + col];
        }
    }
    part[tz][ty][tx] = sum;
    __syncthreads();
    for (int half = 2; half > 0; half /= 2) {
        if (tz < half) {
            part[tz][ty][tx] += part[tz + half][ty][tx];
        }
        __syncthreads();
    }
    if (tz == 0 && row < M && col < N) {
        C[row * N + col] = part[0][ty][tx];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(8, 8, 4);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 8));
}
