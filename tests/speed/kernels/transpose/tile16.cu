#include "kernel.cuh"
__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[16][17];
    const int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.x * 16 + ty, col = blockIdx.y * 16 + tx;
    if (row < H && col < W)
        tile[ty][tx] = x[row * W + col];
    __syncthreads();
    row = blockIdx.y * 16 + ty;
    col = blockIdx.x * 16 + tx;
    if (row < W && col < H)
        y[row * H + col] = tile[tx][ty];
}
LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(H, 16), ceil_div(W, 16));
}
