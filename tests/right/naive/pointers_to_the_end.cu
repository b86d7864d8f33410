// expect: pass  (pointers walk to one past the end)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 16 + threadIdx.y;
    const int col = blockIdx.x * 16 + threadIdx.x;

    if (row >= M || col >= N) {
        return;
    }
    const float *a = A + row * K;
    const float *const end = a + K;
    const float *b = B + col;
    float sum = 0.0f;
    while (a != end) {
        sum += *a++ * *b;
        b += N;
    }
    C[row * N + col] = sum;
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
