#include "kernel.cuh"

#define TILE 64
#define ROWS 8

__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[TILE][TILE + 1];  // 多一列：这样一列分布在 32 个存储体里

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE;  // 分块在 x 中的起点
    const int col = blockIdx.x * TILE;

    for (int i = ty; i < TILE; i += ROWS) {
        if (row + i < H && col + tx < W) {
            tile[i][tx] = x[(row + i) * W + col + tx];
        }
    }

    __syncthreads();  // 分块填满之后，线程才可以读别的线程复制来的数据

    for (int i = ty; i < TILE; i += ROWS) {
        if (row + i < H && col + tx < W) {
            y[(col + i) * H + row + tx] = tile[tx][i];
        }
    }
}

LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(TILE, ROWS);
    launch->grid = dim3(ceil_div(W, TILE), ceil_div(H, TILE));
}
