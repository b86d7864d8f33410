// expect: race 27 28  (if another block was faster, the sum of this one is lost)
#include "kernel.cuh"

__global__ void clear(const float *x, float *y, int N)
{
    y[0] = 0.0f;
}

__global__ void add(const float *x, float *y, int N)
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
        const int old = atomicAdd((int *)y, 0);
        atomicCAS((int *)y, old, __float_as_int(__int_as_float(old) + sum));
    }
}

__global__ void reduction(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(reduction, N)
{
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(min(264, ceil_div(N, 256))), dim3(256));
}
