// expect: wrong_result  (the window begins one row too high)
#include "kernel.cuh"

#define TILE 16  // with the halo: 12 x 12 threads compute

__constant__ float filter[5][5];

__global__ void convolution(const float *image, float *out, int H, int W)
{
    __shared__ float tile[TILE][TILE];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * (TILE - 4) + ty - 2;
    const int col = blockIdx.x * (TILE - 4) + tx - 2;
    const bool there = row >= 0 && row < H && col >= 0 && col < W;
    tile[ty][tx] = there ? image[row * W + col] : 0.0f;
    __syncthreads();  // the tile is there
    const bool computes = tx >= 2 && tx < TILE - 2 && ty >= 2 && ty < TILE - 2;
    if (computes && there) {
        float sum = 0.0f;
        for (int r = 0; r < 5; ++r) {
            for (int c = 0; c < 5; ++c) {
                sum += filter[r][c] * tile[max(ty + r - 3, 0)][tx + c - 2];
            }
        }
        out[row * W + col] = sum;
    }
}

LAUNCH_CONFIG(convolution, H, W)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(W, TILE - 4), ceil_div(H, TILE - 4));
}
