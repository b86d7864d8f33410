// expect: pass  (a tile of 8 lanes adds up by shfl_down)
#include "matmul.cuh"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    auto eight = cg::tiled_partition<8>(cg::this_thread_block());
    const int row = blockIdx.y;
    const int col = blockIdx.x * 32 + threadIdx.x / 8;
    float sum = 0.0f;
    for (int k = eight.thread_rank(); k < K && col < N; k += eight.size()) {
        sum += A[row * K + k] * B[k * N + col];
    }
    for (int step = eight.size() / 2; step > 0; step /= 2) {
        sum += eight.shfl_down(sum, step);
    }
    if (eight.thread_rank() == 0 && col < N) {
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(N, 32), M);
}
