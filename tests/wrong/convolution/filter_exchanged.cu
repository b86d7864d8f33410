// expect: wrong_result  (rows and columns of the filter)
#include "kernel.cuh"

__constant__ float filter[5][5];

__global__ void convolution(const float *image, float *out, int H, int W)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= H || col >= W) {
        return;
    }
    float sum = 0.0f;
    for (int r = 0; r < 5; ++r) {
        for (int c = 0; c < 5; ++c) {
            const int y = row + r - 2;
            const int x = col + c - 2;
            if (y >= 0 && y < H && x >= 0 && x < W) {
                sum += filter[c][r] * image[y * W + x];
            }
        }
    }
    out[row * W + col] = sum;
}

LAUNCH_CONFIG(convolution, H, W)
{
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(W, 32), ceil_div(H, 8));
}
