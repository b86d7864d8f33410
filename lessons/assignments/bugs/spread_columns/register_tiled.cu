#include "matmul.cuh"

#define SIDE  32
#define DEPTH 16
#define PITCH (DEPTH + 1)

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[SIDE * PITCH];
    __shared__ float right[DEPTH * SIDE];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int i = blockIdx.y * SIDE;
    const int j = blockIdx.x * SIDE;
    float sum[2][2] = {};

    for (int first = 0; first < K; first += DEPTH) {
        for (int h = 0; h < SIDE; h += DEPTH) {
            const bool in_a = i + y + h < M && first + x < K;
            const bool in_b = first + y < K && j + x + h < N;
            left[(y + h) * PITCH + x] = in_a ? A[(i + y + h) * K + first + x] : 0.0f;
            right[y * SIDE + x + h] = in_b ? B[(first + y) * N + j + x + h] : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; ++k) {
            for (int h = 0; h < 4; ++h) {
                const float a = left[(y + h / 2 * DEPTH) * DEPTH + k];
                const float b = right[k * SIDE + x + h % 2 * DEPTH];
                sum[h / 2][h % 2] += a * b;
            }
        }
        __syncthreads();
    }
    for (int h = 0; h < 4; ++h) {
        const int row = i + y + h / 2 * DEPTH;
        const int column = j + x + h % 2 * DEPTH;
        if (row < M && column < N) {
            C[row * N + column] = sum[h / 2][h % 2];
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K)
{
    launch->block = dim3(DEPTH, DEPTH);
    launch->grid = dim3(ceil_div(N, SIDE), ceil_div(M, SIDE));
}
