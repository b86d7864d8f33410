#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N, float *work)
{
    work[0] = 0.0f;
    work[1] = 0.0f;
}

__global__ void add(const float *x, float *y, int N, float *work)
{
    __shared__ float parts[8];
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256) {
        sum += x[i];
    }
    for (int s = 16; s > 0; s /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    }
    if (threadIdx.x % 32 == 0) {
        parts[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 8; ++warp) {
            sum += parts[warp];
        }
        unsigned *count = (unsigned *)work;
        atomicAdd(&work[1], sum);
        __threadfence();
        if (atomicAdd(count, 1u) == gridDim.x / 2) {
            while (atomicAdd(count, 0u) < gridDim.x) {
                __nanosleep(100);
            }
            __threadfence();
            y[0] = atomicAdd(&work[1], 0.0f);
        }
    }
}

__global__ void reduction(const float *x, float *y, int N, float *work)
{
}

LAUNCH_CONFIG(reduction, N)
{
    launch->workspace_bytes = 8;
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(min(264, ceil_div(N, 256))), dim3(256));
}
