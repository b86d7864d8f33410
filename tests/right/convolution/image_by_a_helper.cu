// expect: pass  (a function returns 0 outside the image)
#include "kernel.cuh"

__constant__ float filter[5][5];

__device__ float pixel(const float *image, int row, int col, int H, int W)
{
    return (unsigned)row < (unsigned)H && (unsigned)col < (unsigned)W ? image[row * W + col] : 0.0f;
}

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
            sum += filter[r][c] * pixel(image, row + r - 2, col + c - 2, H, W);
        }
    }
    out[row * W + col] = sum;
}

LAUNCH_CONFIG(convolution, H, W)
{
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(W, 32), ceil_div(H, 8));
}
