// Factors in FP16, sums in fp32, without tensor cores.
#include "matmul.cuh"

#include <cuda_fp16.h>

#define TILE 16

__global__ void matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ half As[TILE][TILE];
    __shared__ half Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        As[ty][tx] = __float2half(row < M && a_col < K ? A[row * K + a_col] : 0.0f);
        Bs[ty][tx] = __float2half(b_row < K && col < N ? B[b_row * N + col] : 0.0f);

        __syncthreads();  // the tiles are full before anyone reads them

        for (int k = 0; k < TILE; ++k) {
            acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
        }
        __syncthreads();  // everyone has read the tiles before anyone refills them
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
