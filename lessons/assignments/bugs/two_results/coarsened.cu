#include "matmul.cuh"

#define SIDE 16

__global__ void matmul_coarsened(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[2 * SIDE][SIDE];
    __shared__ float right[SIDE][SIDE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int upper = blockIdx.y * (2 * SIDE) + y;
    const int lower = upper + SIDE;
    const int j = blockIdx.x * SIDE + x;
    float sums[2] = {0.0f, 0.0f};

    for (int first = 0; first < K; first += SIDE) {
        const bool in_row = first + x < K;

        left[y][x] = upper < M && in_row ? A[upper * K + first + x] : 0.0f;
        left[y + SIDE][x] = lower < M && in_row ? A[lower * K + first + x] : 0.0f;
        right[y][x] = first + y < K && j < N ? B[(first + y) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < SIDE; ++k) {
            sums[0] += left[y][k] * right[k][x];
            sums[1] += left[y + SIDE][k] * right[k][x];
        }
        __syncthreads();
    }
    if (upper < M && j < N) {
        C[upper * N + j] = sums[0];
        C[lower * N + j] = sums[1];
    }
}

LAUNCH_CONFIG(matmul_coarsened, M, N, K)
{
    launch->block = dim3(SIDE, SIDE);
    launch->grid = dim3(ceil_div(N, SIDE), ceil_div(M, 2 * SIDE));
}
