#include "matmul.cuh"

#define WIDTH 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float left[WIDTH][WIDTH];
    __shared__ float right[WIDTH][WIDTH];
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int i = blockIdx.y * WIDTH + y;
    const int j = blockIdx.x * WIDTH + x;

    float sum = 0.0f;
    for (int first = 0; first < K; first += WIDTH) {
        left[y][x] = i < M && first + x < K ? A[i * K + first + x] : 0.0f;
        right[y][x] = first + y < K && j < M ? B[(first + y) * N + j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < WIDTH; ++k) {
            sum += left[y][k] * right[k][x];
        }
        __syncthreads();
    }
    if (i < M && j < N) {
        C[i * N + j] = sum;
    }
}

LAUNCH_CONFIG(matmul_tiled, M, N, K)
{
    launch->block = dim3(WIDTH, WIDTH);
    launch->grid = dim3(ceil_div(N, WIDTH), ceil_div(M, WIDTH));
}
