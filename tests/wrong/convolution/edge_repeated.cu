// expect: wrong_result  (pixels of the edge stand for those outside)
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
            const int near_y = min(max(y, 0), H - 1);
            const int near_x = min(max(x, 0), W - 1);
            sum += filter[r][c] * image[near_y * W + near_x];
        }
    }
    out[row * W + col] = sum;
}

LAUNCH_CONFIG(convolution, H, W)
{
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(W, 32), ceil_div(H, 8));
}
