#include "kernel.cuh"
__global__ void transpose(const float *x, float *y, int H, int W) {
    const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < H && col < W)
        y[col * H + row] = x[row * W + col];
}
LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(W, 32), ceil_div(H, 8));
}
