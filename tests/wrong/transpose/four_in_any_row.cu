// expect: misaligned 17  (rows whose length is no multiple of 4)
#include "kernel.cuh"

#define TILE 64

__global__ void transpose(const float *x, float *y, int H, int W)
{
    __shared__ float tile[TILE][TILE + 1];
    const int t = threadIdx.x % 16 * 4;
    const int first = threadIdx.x / 16;
    const int row = blockIdx.y * TILE;
    const int col = blockIdx.x * TILE;

    for (int i = first; i < TILE; i += 16) {
        const float *from = x + (row + i) * W + col + t;
        if (row + i < H && col + t + 3 < W) {
            const float4 four = *(const float4 *)from;
            tile[i][t] = four.x;
            tile[i][t + 1] = four.y;
            tile[i][t + 2] = four.z;
            tile[i][t + 3] = four.w;
        } else {
            for (int k = 0; k < 4; ++k) {
                tile[i][t + k] = row + i < H && col + t + k < W ? from[k] : 0.0f;
            }
        }
    }
    __syncthreads();  // the tile is full
    for (int i = first; i < TILE; i += 16) {
        for (int k = 0; k < 4; ++k) {
            if (col + i < W && row + t + k < H) {
                y[(col + i) * H + row + t + k] = tile[t + k][i];
            }
        }
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(256);
    launch->grid = dim3(ceil_div(W, TILE), ceil_div(H, TILE));
}
