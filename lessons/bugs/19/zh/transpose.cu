#include "kernel.cuh"

#define TILE 16

__global__ void transpose(const float *x, float *y, int H, int W)
{
    __shared__ float tile[TILE][TILE + 1];

    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    if (row < H && col < W) {
        tile[threadIdx.y][threadIdx.x] = x[row * W + col];
    }
    __syncthreads();  // 分块已经填满

    col = blockIdx.x * TILE + threadIdx.x;  // 在 y 中的列
    row = blockIdx.y * TILE + threadIdx.y;
    if (row < W && col < H) {
        y[row * H + col] = tile[threadIdx.x][threadIdx.y];
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(W, TILE), ceil_div(H, TILE));
}
