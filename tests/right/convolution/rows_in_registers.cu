// expect: pass  (a thread goes down a column with 5 rows in registers)
#include "kernel.cuh"

__constant__ float filter[5][5];

__global__ void convolution(const float *image, float *out, int H, int W)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= W) {
        return;
    }
    float acc[5] = {};
    for (int row = 0; row < H + 2; ++row) {
        for (int k = 0; k < 4; ++k) {
            acc[k] = acc[k + 1];
        }
        acc[4] = 0.0f;
        for (int c = 0; c < 5 && row < H; ++c) {
            const int x = col + c - 2;
            const float pixel = x >= 0 && x < W ? image[row * W + x] : 0.0f;
            for (int k = 0; k < 5; ++k) {
                acc[k] += filter[4 - k][c] * pixel;
            }
        }
        if (row >= 2) {
            out[(row - 2) * W + col] = acc[0];
        }
    }
}

LAUNCH_CONFIG(convolution, H, W)
{
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(W, 64));
}
