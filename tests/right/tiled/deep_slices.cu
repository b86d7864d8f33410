// expect: pass  (blocks of 32 x 8 threads, slices of A and B that are no squares)
#include "matmul.cuh"

#define BM 8
#define BN 32
#define BK 24

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[BM][BK];
    __shared__ float Bs[BK][BN];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty;
    const int col = blockIdx.x * BN + tx;

    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int k = tx; k < BK; k += BN) {
            As[ty][k] = row < M && k0 + k < K ? A[row * K + k0 + k] : 0.0f;
        }
        for (int k = ty; k < BK; k += BM) {
            Bs[k][tx] = k0 + k < K && col < N ? B[(k0 + k) * N + col] : 0.0f;
        }
        __syncthreads();  // the slices are full before anyone reads them

        for (int k = 0; k < BK; ++k) {
            acc += As[ty][k] * Bs[k][tx];
        }
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    if (row < M && col < N) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(BN, BM);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
