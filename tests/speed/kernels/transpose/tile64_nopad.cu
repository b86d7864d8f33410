#include "kernel.cuh"
__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[64][64];
    const int tx = threadIdx.x;
    for (int r = threadIdx.y; r < 64; r += 4) {
        const int row = blockIdx.x * 64 + r, col = blockIdx.y * 64 + tx;
        if (row < H && col < W)
            tile[r][tx] = x[row * W + col];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 64; r += 4) {
        const int row = blockIdx.y * 64 + r, col = blockIdx.x * 64 + tx;
        if (row < W && col < H)
            y[row * H + col] = tile[tx][r];
    }
}
LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(64, 4);
    launch->grid = dim3(ceil_div(H, 64), ceil_div(W, 64));
}
