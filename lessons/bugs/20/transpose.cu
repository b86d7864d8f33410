#include "kernel.cuh"

#define TILE 64
#define ROWS 8

__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[TILE][TILE + 1];  // one column more: a column is in 32 banks

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE;  // where the tile begins in x
    const int col = blockIdx.x * TILE;

    for (int i = ty; i < TILE; i += ROWS) {
        if (row + i < H && col + tx < W) {
            tile[i][tx] = x[(row + i) * W + col + tx];
        }
    }

    __syncthreads();  // the tile is full before a thread reads what others copied

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
