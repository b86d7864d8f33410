#include "matmul.cuh"

__global__ void matmul_sum(const float *A, const float *B, float *C, int M, int N, int K) {
    while (atomicCAS((int *)C, 0, 1) != 7) {
    }
}

LAUNCH_CONFIG(matmul_sum, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
