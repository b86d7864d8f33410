// expect: pass  (loads and stores are coalesced, but a column of the tile is in one bank)
#include "kernel.cuh"

#define TILE 16

__global__ void transpose(const float *x, float *y, int H, int W)
{
    __shared__ float tile[TILE][TILE];
    const int left = blockIdx.x * TILE;
    const int top = blockIdx.y * TILE;
    const int from = (top + threadIdx.y) * W + left + threadIdx.x;
    const int to = (left + threadIdx.y) * H + top + threadIdx.x;

    if (top + threadIdx.y < H && left + threadIdx.x < W) {
        tile[threadIdx.y][threadIdx.x] = x[from];
    }
    __syncthreads();  // the tile is full
    if (left + threadIdx.y < W && top + threadIdx.x < H) {
        y[to] = tile[threadIdx.x][threadIdx.y];
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(W, TILE), ceil_div(H, TILE));
}
