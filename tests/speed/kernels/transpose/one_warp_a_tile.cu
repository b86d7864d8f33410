// Matrix transpose: a tile turns in shared memory.
//
// Shapes   x [H][W], y [W][H]: row-major, no padding, any size from 1.
// Launch   blocks of TILE x ROWS threads; a block moves one tile of TILE x TILE elements.
// Idea     a warp reads along a row of x and stores along a row of y, so both are coalesced.  The
//          tile between them is read by columns.  Blocks that follow each other store next to each
//          other.
// Limit    8 bytes of memory for each element, which is the least that any transpose needs.
// Source   Mark Harris, "An Efficient Matrix Transpose in CUDA C/C++" (NVIDIA, 2013).
#include "kernel.cuh"

#define TILE 64
#define ROWS 1

__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[TILE][TILE + 1];  // one column more: a column is in 32 banks

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.x * TILE;  // where the tile begins in x
    const int col = blockIdx.y * TILE;

//@cut 1 copy the tile of x: row ty of it and every ROWS-th one below are mine, in column tx
#pragma unroll
    for (int i = 0; i < TILE; i += ROWS) {
        if (row + ty + i < H && col + tx < W) {
            tile[ty + i][tx] = x[(row + ty + i) * W + col + tx];
        }
    }
    //@end

    //@cut 2 wait, then store row ty of the tile of y and every ROWS-th one below
    __syncthreads();  // by two warps: the tile is full before a thread reads what others copied

#pragma unroll
    for (int i = 0; i < TILE; i += ROWS) {
        if (col + ty + i < W && row + tx < H) {
            y[(col + ty + i) * H + row + tx] = tile[tx][ty + i];
        }
    }
    //@end
}

LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(TILE, ROWS);
    launch->grid = dim3(ceil_div(H, TILE), ceil_div(W, TILE));
}
