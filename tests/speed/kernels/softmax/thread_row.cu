#include "kernel.cuh"
__global__ void softmax(const float *x, float *y, int H, int W) {
    const int row = blockIdx.x * 64 + threadIdx.x;
    if (row >= H)
        return;
    float most = x[row * W], sum = 0.0f;
    for (int i = 1; i < W; ++i)
        most = fmaxf(most, x[row * W + i]);
    for (int i = 0; i < W; ++i)
        sum += expf(x[row * W + i] - most);
    for (int i = 0; i < W; ++i)
        y[row * W + i] = expf(x[row * W + i] - most) / sum;
}
LAUNCH_CONFIG(softmax, H, W) {
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(H, 64));
}
