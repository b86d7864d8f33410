#include "kernel.cuh"
__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[32][32];
    const int tx = threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += 8) {
        const int row = blockIdx.x * 32 + r, col = blockIdx.y * 32 + tx;
        if (row < H && col < W)
            tile[r][tx] = x[row * W + col];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8) {
        const int row = blockIdx.y * 32 + r, col = blockIdx.x * 32 + tx;
        if (row < W && col < H)
            y[row * H + col] = tile[tx][r];
    }
}
LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(H, 32), ceil_div(W, 32));
}
