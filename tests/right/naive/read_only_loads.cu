// expect: pass  (__ldg, fmaf, __restrict__ and a pointer that walks)
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *__restrict__ A, const float *__restrict__ B,
                             float *__restrict__ C, int M, int N, int K) {
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;

    if (row < M && col < N) {  // the last blocks reach past the edges of C
        const float *a = A + row * K;
        const float *b = B + col;
        float acc = 0.0f;
        for (int k = 0; k < K; ++k) {
            acc = fmaf(__ldg(a++), __ldg(b), acc);
            b += N;
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
