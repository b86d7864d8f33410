// expect: pass  (the lanes that add the sums of the warps are found by a ballot)
#include "kernel.cuh"

#define THREADS 320
#define WARPS   (THREADS / 32)
#define BLOCKS  40

__device__ float sum_of(unsigned lanes, float sum)
{
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_down_sync(lanes, sum, step);
    }
    return sum;
}

__device__ float block_sum(float sum)
{
    __shared__ float sums[32];
    const int t = threadIdx.x;
    sum = sum_of(0xffffffffu, sum);
    if (t < 32) {
        sums[t] = 0.0f;  // the sums of warps that this block does not have
    }
    __syncthreads();  // the zeros are stored before the sums
    if (t % 32 == 0) {
        sums[t / 32] = sum;
    }
    __syncthreads();  // every warp has stored its sum
    const unsigned lanes = __ballot_sync(0xffffffffu, t < 32);
    return t < 32 ? sum_of(lanes, sums[t]) : 0.0f;
}

__global__ void add_parts(const float *x, float *y, int N, float *workspace)
{
    float sum = 0.0f;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += gridDim.x * THREADS) {
        sum += x[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        workspace[blockIdx.x] = sum;
    }
}

__global__ void reduction(const float *x, float *y, int N, float *workspace)
{
    const float sum = block_sum(threadIdx.x < BLOCKS ? workspace[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) {
        y[0] = sum;
    }
}

LAUNCH_CONFIG(reduction, N)
{
    launch->workspace_bytes = sizeof(float) * BLOCKS;
    LAUNCH(add_parts, dim3(BLOCKS), dim3(THREADS));
    LAUNCH(reduction, dim3(1), dim3(64));
}
