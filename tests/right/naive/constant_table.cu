// expect: pass  (a table in constant memory says which quarter a thread takes)
#include "matmul.cuh"

__constant__ const int order[4] = {3, 1, 2, 0};

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float part[4][64];
    const int t = threadIdx.x % 64;
    const int quarter = order[threadIdx.x / 64];
    const int row = blockIdx.y;
    const int col = blockIdx.x * 64 + t;
    float sum = 0.0f;
    for (int k = quarter; k < K && col < N; k += 4) {
        sum += A[row * K + k] * B[k * N + col];
    }
    part[quarter][t] = sum;
    __syncthreads();
    if (threadIdx.x < 64 && col < N) {
        C[row * N + col] = part[0][t] + part[1][t] + part[2][t] + part[3][t];
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 64), M);
}
