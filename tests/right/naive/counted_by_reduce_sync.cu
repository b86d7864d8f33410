// expect: pass  (integers by __reduce_add_sync, lane masks, warpSize)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * 8 + threadIdx.y;
    const int col = blockIdx.x * 8 + threadIdx.x;

    const unsigned lane = (threadIdx.y * 8 + threadIdx.x) % warpSize;
    const unsigned below = (1u << lane) - 1;
    const bool mine = row < M && col < N;
    const unsigned who = __ballot_sync(0xffffffffu, mine);
    const int ahead = __popc(who & below);
    const int all = __reduce_add_sync(0xffffffffu, mine ? 1 : 0);
    if (mine && ahead < all && all == __popc(who)) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            sum += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(8, 8);
    launch->grid = dim3(ceil_div(N, 8), ceil_div(M, 8));
}
