#include "kernel.cuh"
__constant__ float filter[5][5];
__global__ void convolution(const float *image, float *out, int H, int W) {
    const int row = blockIdx.x * 32 + threadIdx.x, col = blockIdx.y * 8 + threadIdx.y;
    if (row >= H || col >= W)
        return;
    float sum = 0.0f;
    for (int i = -2; i <= 2; ++i)
        for (int j = -2; j <= 2; ++j)
            if (row + i >= 0 && row + i < H && col + j >= 0 && col + j < W)
                sum += image[(row + i) * W + col + j] * filter[i + 2][j + 2];
    out[row * W + col] = sum;
}
LAUNCH_CONFIG(convolution, H, W) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(H, 32), ceil_div(W, 8));
}
