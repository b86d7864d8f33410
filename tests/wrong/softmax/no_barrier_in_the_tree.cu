// expect: race 15 16  (a step reads values of the step before)
#include "kernel.cuh"

#define THREADS 128

__device__ float block_merged(float value, bool adds)
{
    __shared__ float values[THREADS];
    const int t = threadIdx.x;
    __syncthreads();  // values of the call before are read
    values[t] = value;
    __syncthreads();  // the values are there
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) {
            const float other = values[t + half];
            values[t] = adds ? values[t] + other : fmaxf(values[t], other);
        }
    }
    return values[0];
}

__global__ void softmax(const float *x, float *y, int H, int W)
{
    const float *from = x + blockIdx.x * W;
    float *to = y + blockIdx.x * W;
    float most = from[0];
    for (int i = threadIdx.x; i < W; i += THREADS) {
        most = fmaxf(most, from[i]);
    }
    most = block_merged(most, false);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < W; i += THREADS) {
        sum += expf(from[i] - most);
    }
    sum = block_merged(sum, true);
    for (int i = threadIdx.x; i < W; i += THREADS) {
        to[i] = expf(from[i] - most) / sum;
    }
}

LAUNCH_CONFIG(softmax, H, W)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(H);
}
