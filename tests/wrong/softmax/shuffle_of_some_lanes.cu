// expect: uninitialized 22  (lanes without an element return first)
#include "kernel.cuh"

__global__ void softmax(const float *x, float *y, int H, int W)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= H) {
        return;  // the whole warp
    }
    const float *from = x + row * W;
    if (threadIdx.x >= W) {
        return;
    }
    float most = -3.0e38f;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < W; i += 32) {
        const float larger = fmaxf(most, from[i]);
        sum = sum * expf(most - larger) + expf(from[i] - larger);
        most = larger;
    }
    for (int step = 16; step > 0; step /= 2) {
        const float other_most = __shfl_xor_sync(0xffffffff, most, step);
        const float other_sum = __shfl_xor_sync(0xffffffff, sum, step);
        const float larger = fmaxf(most, other_most);
        sum = sum * expf(most - larger) + other_sum * expf(other_most - larger);
        most = larger;
    }
    for (int i = threadIdx.x; i < W; i += 32) {
        y[row * W + i] = expf(from[i] - most) / sum;
    }
}

LAUNCH_CONFIG(softmax, H, W)
{
    launch->block = dim3(32, 4);
    launch->grid = dim3(ceil_div(H, 4));
}
