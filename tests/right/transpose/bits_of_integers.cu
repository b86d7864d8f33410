// expect: pass  (elements are copied as integers, bit for bit)
#include "kernel.cuh"

__global__ void transpose(const float *x, float *y, int H, int W) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < H && col < W) {
        y[col * H + row] = __int_as_float(__float_as_int(x[row * W + col]));
    }
}

LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(32, 8);
    launch->grid = dim3(ceil_div(W, 32), ceil_div(H, 8));
}
