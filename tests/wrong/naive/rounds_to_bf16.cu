// expect: low_precision  (the inputs keep 8 of 24 bits)
#include "matmul.cuh"

#define TILE 16

// Rounds a float to the 16 upper bits, as bfloat16 has them.
static __device__ float to_bf16(float x) {
    return __int_as_float((__float_as_int(x) + 0x8000) & 0xffff0000);
}

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {  // the last blocks reach past the edges of C
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc += to_bf16(A[row * K + k]) * to_bf16(B[k * N + col]);
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
