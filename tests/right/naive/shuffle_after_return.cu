// expect: pass  (a shuffle from lane 0, which is always there, after others have left)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int col = blockIdx.x * 32 + threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    if (col >= N || row >= M) {
        return;
    }
    const unsigned here = __activemask();
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        float a = threadIdx.x == 0 ? A[row * K + k] : 0.0f;
        a = __shfl_sync(here, a, 0);
        sum = __fmaf_rn(a, __ldg(&B[k * N + col]), sum);
    }
    C[row * N + col] = sum;
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(ceil_div(N, 32), ceil_div(M, 4));
}
