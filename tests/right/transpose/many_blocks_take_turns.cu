// expect: pass  (at most 132 blocks for all tiles, with a second barrier)
#include "kernel.cuh"

#define TILE 32
#define THREADS 128

__global__ void transpose(const float *x, float *y, int H, int W)
{
    __shared__ float tile[TILE * (TILE + 1)];
    const int lane = threadIdx.x % TILE;
    const int first = threadIdx.x / TILE;
    const int tiles = ceil_div(W, TILE);
    for (int t = blockIdx.x; t < tiles * ceil_div(H, TILE); t += gridDim.x) {
    const int top = t / tiles * TILE;
    const int left = t % tiles * TILE;

    for (int r = first; r < TILE; r += THREADS / TILE) {
        const bool there = top + r < H && left + lane < W;
        tile[r * (TILE + 1) + lane] = there ? x[(top + r) * W + left + lane] : 0.0f;
    }
    __syncthreads();  // all rows of the tile are there
    for (int c = first; c < TILE; c += THREADS / TILE) {
        if (left + c < W && top + lane < H) {
            y[(left + c) * H + top + lane] = tile[lane * (TILE + 1) + c];
        }
    }
    __syncthreads();  // the tile is read before the next one comes
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(min(132, ceil_div(W, TILE) * ceil_div(H, TILE)));
}
