// expect: pass  (volatile shared memory and a volatile sum, with barriers all the same)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ volatile float column[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;
    volatile float acc = 0.0f;
    for (int first = 0; first < K; first += 16) {
        const int k = first + threadIdx.y;
        column[threadIdx.y][threadIdx.x] = k < K && col < N ? B[k * N + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16 && first + i < K && row < M; ++i) {
            acc = acc + A[row * K + first + i] * column[i][threadIdx.x];
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
