#include "kernel.cuh"

// every warp adds to y by an atomic operation, after 8 elements a lane: one address of the card
__global__ void clear(const float *x, float *y, int N) {
    y[0] = 0.0f;
}
__global__ void add(const float *x, float *y, int N) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0.0f;
    if (i < N / 4) {
        const float4 v = ((const float4 *)x)[i];
        sum = v.x + v.y + v.z + v.w;
    }
    if (i < N % 4) {
        sum += x[N - 1 - i];
    }
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
    LAUNCH(add, dim3(ceil_div(N, 1024)), dim3(256));
}
