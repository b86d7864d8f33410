// expect: pass  (single loads up to a multiple of 16 bytes, then float4)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {  // the last blocks reach past the edges of C
        const float *a = &A[row * K];
        float acc = 0.0f;
        int k = 0;
        for (; k < K && (size_t)(a + k) % sizeof(float4) != 0; ++k) {
            acc += a[k] * B[k * N + col];
        }
        for (; k + 4 <= K; k += 4) {
            const float4 four = *(const float4 *)(a + k);
            acc += four.x * B[(k + 0) * N + col];
            acc += four.y * B[(k + 1) * N + col];
            acc += four.z * B[(k + 2) * N + col];
            acc += four.w * B[(k + 3) * N + col];
        }
        for (; k < K; ++k) {
            acc += a[k] * B[k * N + col];
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
