#include "kernel.cuh"

// OneFlow's and llm.c's way for rows of middle length: the row stays in shared memory, read once
#define T 256
__device__ float reduced(float v, bool is_max) {
    __shared__ float part[T / 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int o = 16; o > 0; o >>= 1) {
        const float other = __shfl_xor_sync(0xffffffffu, v, o);
        v = is_max ? fmaxf(v, other) : v + other;
    }
    __syncthreads();
    if (lane == 0) {
        part[warp] = v;
    }
    __syncthreads();
    v = part[lane % (T / 32)];
    for (int o = T / 64; o > 0; o >>= 1) {
        const float other = __shfl_xor_sync(0xffffffffu, v, o);
        v = is_max ? fmaxf(v, other) : v + other;
    }
    return v;
}
__global__ void softmax(const float *x, float *y, int H, int W) {
    extern __shared__ float row[];
    const float *from = x + (size_t)blockIdx.x * W;
    float *to = y + (size_t)blockIdx.x * W;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < W; i += T) {
        row[i] = from[i];
        m = fmaxf(m, row[i]);
    }
    m = reduced(m, true);
    float s = 0.0f;
    for (int i = threadIdx.x; i < W; i += T) {
        row[i] = expf(row[i] - m);
        s += row[i];
    }
    s = reduced(s, false);
    const float inv = 1.0f / s;
    for (int i = threadIdx.x; i < W; i += T) {
        to[i] = row[i] * inv;
    }
}
LAUNCH_CONFIG(softmax, H, W) {
    launch->block = dim3(T);
    launch->grid = dim3(H);
    launch->shared_bytes = W * sizeof(float);
}
