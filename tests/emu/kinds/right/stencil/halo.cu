// expect: pass  (a tile with one cell on each side)
// launch: 1x200x200
// result: [sum(A[max(i - 1, 0) : i + 2]) for i in range(K)]
#include "matmul.cuh"

#define TILE 64

__global__ void stencil(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float cell[TILE + 2];

    const int t = threadIdx.x;
    const int i = blockIdx.x * TILE + t;
    cell[t + 1] = i < K ? A[i] : 0.0f;
    if (t == 0) {
        cell[0] = i > 0 ? A[i - 1] : 0.0f;
        cell[TILE + 1] = i + TILE < K ? A[i + TILE] : 0.0f;
    }
    __syncthreads();  // tile and halo are full before anyone reads them
    if (i < K) {
        C[i] = cell[t] + cell[t + 1] + cell[t + 2];
    }
}

LAUNCH_CONFIG(stencil, M, N, K)
{
    launch->block = dim3(TILE);
    launch->grid = dim3(ceil_div(K, TILE));
}
