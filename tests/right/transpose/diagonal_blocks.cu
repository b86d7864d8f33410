// expect: pass  (blocks that follow each other take the tiles of a diagonal)
#include "kernel.cuh"

#define TILE 32
#define ROWS 8

__global__ void transpose(const float *x, float *y, int H, int W)
{
    __shared__ float tile[TILE][TILE + 1];
    int across = blockIdx.x;
    int down = blockIdx.y;
    if (H == W) {
        down = blockIdx.x;
        across = (blockIdx.x + blockIdx.y) % gridDim.x;
    } else {
        const int block = blockIdx.x + gridDim.x * blockIdx.y;
        down = block % gridDim.y;
        across = (block / gridDim.y + down) % gridDim.x;
    }

    int col = across * TILE + threadIdx.x;
    int row = down * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (row + i < H && col < W) {
            tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * W + col];
        }
    }
    __syncthreads();  // the tile is full
    col = down * TILE + threadIdx.x;  // in y
    row = across * TILE + threadIdx.y;
    for (int i = 0; i < TILE; i += ROWS) {
        if (row + i < W && col < H) {
            y[(row + i) * H + col] = tile[threadIdx.x][threadIdx.y + i];
        }
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(TILE, ROWS);
    launch->grid = dim3(ceil_div(W, TILE), ceil_div(H, TILE));
}
