// Naive multiplication in blocks of 16 x 16, with x and y exchanged.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Change   a warp walks down a column of C, so that its threads touch as many rows of A.
// Limit    each request of A and of C touches a sector for each thread.
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_uncoalesced_16(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    const int row = blockIdx.x * TILE + threadIdx.x;
    const int col = blockIdx.y * TILE + threadIdx.y;

    if (row < M && col < N) {
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += A[row * K + k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_uncoalesced_16, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(M, TILE), ceil_div(N, TILE));
}
