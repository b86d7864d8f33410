// expect: pass  (structs with bytes of padding are copied whole, also by calls)
#include "matmul.cuh"

#define TILE 16

struct Term {
    char inside;
    double value;
};

static __device__ double product(Term a, Term b) {
    return a.inside && b.inside ? a.value * b.value : 0.0;
}

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ Term As[TILE][TILE];
    __shared__ Term Bs[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;
    double acc = 0.0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const bool in_a = row < M && k0 + tx < K;
        const bool in_b = k0 + ty < K && col < N;
        As[ty][tx].inside = in_a;
        As[ty][tx].value = in_a ? A[row * K + k0 + tx] : 0.0;
        Bs[ty][tx].inside = in_b;
        Bs[ty][tx].value = in_b ? B[(k0 + ty) * N + col] : 0.0;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            const Term b = Bs[k][tx];
            acc += product(As[ty][k], b);
        }
        __syncthreads();
    }
    if (row < M && col < N) {
        C[row * N + col] = (float)acc;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
