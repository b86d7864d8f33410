// expect: pass  (two tiles in turn, each access to one that a condition chooses)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[2][TILE * TILE], Bs[2][TILE * TILE];
    const int ty = threadIdx.x / TILE, tx = threadIdx.x % TILE;
    const int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k = 0; k < K; k += TILE) {
        const int odd = k / TILE % 2;
        (odd ? As[1] : As[0])[threadIdx.x % (TILE * TILE)] =
            row < M && k + tx < K ? A[row * K + k + tx] : 0.0f;
        ((odd ? Bs[1] : Bs[0]))[threadIdx.x % (TILE * TILE)] =
            column < N && k + ty < K ? B[(k + ty) * N + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += (odd ? As[1] : As[0])[ty * TILE + i % TILE] *
                   (odd ? Bs[1] : Bs[0])[i % TILE * TILE + tx];
        }
    }
    if (row < M && column < N) {
        C[row * N + column] = sum;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE * TILE);
    launch->grid = dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
}
