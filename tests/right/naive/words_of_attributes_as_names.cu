// expect: pass  (variables are called as attributes are)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float constructor = 0.0f;
        const int target = row * N + col;
        for (int k = 0; k < K; ++k) {
            const float weak = A[row * K + k];
            const float alias = B[k * N + col];
            constructor += weak * alias;
        }
        C[target] = constructor;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
