// expect: pass  (a ballot counts the lanes that have a term)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x;
    float sum = 0.0f;
    for (int k = lane; k < K && row < M; k += 32) {
        sum += A[row * K + k] * B[k * N + col];
    }

    const unsigned have = __ballot_sync(0xffffffffu, lane < K && row < M);
    const int lanes = __popc(have);
    float all = 0.0f;
    for (int i = 0; i < lanes; ++i) {
        all += __shfl_sync(0xffffffffu, sum, i);
    }
    if (lane == 0 && row < M) {
        C[row * N + col] = all;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(32, 4);
    launch->grid = dim3(N, ceil_div(M, 4));
}
