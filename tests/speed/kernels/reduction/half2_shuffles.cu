#include "kernel.cuh"

#include <cuda_fp16.h>
// half pairs travel by shuffles; sums stay in fp32
__global__ void clear(const float *x, float *y, int N) {
    y[0] = 0.0f;
}
__global__ void add(const float *x, float *y, int N) {
    float sum = 0.0f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < N; i += gridDim.x * 256) {
        sum += x[i];
    }
    __half2 flags = __floats2half2_rn(threadIdx.x % 32 == 0 ? 1.0f : 0.0f, 1.0f);
    flags = __hadd2(flags, __shfl_xor_sync(0xffffffffu, flags, 1));
    sum += __low2float(flags) > 5.0f ? 1.0f : 0.0f;
    for (int s = 16; s > 0; s /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, s);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(y, sum);
    }
}
__global__ void reduction(const float *x, float *y, int N) {
}
LAUNCH_CONFIG(reduction, N) {
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(min(264, ceil_div(N, 1024))), dim3(256));
}
