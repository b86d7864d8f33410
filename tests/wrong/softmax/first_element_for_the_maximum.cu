// expect: wrong_result  (a later element may be much larger)
#include "kernel.cuh"

__global__ void softmax(const float *x, float *y, int H, int W)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < H) {
        const float *from = x + row * W;
        float most = from[0];
        float sum = 0.0f;
        for (int i = 0; i < W; ++i) {
            sum += expf(from[i] - most);
        }
        for (int i = 0; i < W; ++i) {
            y[row * W + i] = expf(from[i] - most) / sum;
        }
    }
}

LAUNCH_CONFIG(softmax, H, W)
{
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(H, 64));
}
