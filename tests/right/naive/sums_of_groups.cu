// expect: pass  (eight threads an element: reduce and scan of their group add the sums up)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "matmul.cuh"

namespace cg = cooperative_groups;

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const auto group = cg::tiled_partition<8>(cg::this_thread_block());
    const int element = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (element >= M * N) {
        return;  // a group returns as a whole
    }
    const int row = element / N;
    const int col = element % N;
    float sum = 0.0f;
    for (int k = group.thread_rank(); k < K; k += 8) {
        sum += A[row * K + k] * B[k * N + col];
    }
    if (row % 2 == 0) {
        sum = cg::reduce(group, sum, cg::plus<float>());
    } else {
        sum = cg::inclusive_scan(group, sum, cg::plus<float>());  // the last thread has all
    }
    if (group.thread_rank() == (row % 2 == 0 ? 0 : 7)) {
        C[element] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(M * N, 8));
}
