// expect: wrong_result  (the filter is turned by 180 degrees)
#include "kernel.cuh"

#define TILE 16
#define WIDE (TILE + 4)

__constant__ float filter[25];

__global__ void convolution(const float *image, float *out, int H, int W)
{
    __shared__ float tile[WIDE][WIDE];
    const int top = blockIdx.y * TILE - 2;
    const int left = blockIdx.x * TILE - 2;
    for (int r = threadIdx.y; r < WIDE; r += TILE) {
        for (int c = threadIdx.x; c < WIDE; c += TILE) {
            const int y = top + r;
            const int x = left + c;
            tile[r][c] = y >= 0 && y < H && x >= 0 && x < W ? image[y * W + x] : 0.0f;
        }
    }
    __syncthreads();  // the tile and its halo are there
    float sum = 0.0f;
    for (int k = 0; k < 25; ++k) {
        sum += filter[24 - k] * tile[threadIdx.y + k / 5][threadIdx.x + k % 5];
    }
    const int row = top + 2 + threadIdx.y;
    const int col = left + 2 + threadIdx.x;
    if (row < H && col < W) {
        out[row * W + col] = sum;
    }
}

LAUNCH_CONFIG(convolution, H, W)
{
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(W, TILE), ceil_div(H, TILE));
}
