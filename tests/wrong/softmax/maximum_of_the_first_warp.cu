// expect: wrong_result  (the largest element of the row may be another warp's)
#include "kernel.cuh"

#define THREADS 128

__global__ void softmax(const float *x, float *y, int H, int W)
{
    __shared__ float most, sum;
    const float *from = x + blockIdx.x * W;
    float mine = -3.0e38f;
    for (int i = threadIdx.x; i < W; i += THREADS) {
        mine = fmaxf(mine, from[i]);
    }
    for (int step = 16; step > 0; step /= 2) {
        mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, step));
    }
    if (threadIdx.x == 0) {
        most = mine;
        sum = 0.0f;
    }
    __syncthreads();

    float part = 0.0f;
    for (int i = threadIdx.x; i < W; i += THREADS) {
        part += expf(from[i] - most);
    }
    atomicAdd(&sum, part);
    __syncthreads();
    for (int i = threadIdx.x; i < W; i += THREADS) {
        y[blockIdx.x * W + i] = expf(from[i] - most) / sum;
    }
}

LAUNCH_CONFIG(softmax, H, W)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(H);
}
