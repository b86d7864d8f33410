// expect: uninitialized 33  (32 pairs are merged, whatever the block has)
#include "kernel.cuh"

#define EACH   16
#define WARPS  32
#define LOWEST (-3.0e38f)  // below any element

struct pair {
    float most;  // the largest element
    float sum;   // of exp(element - most)
};

__device__ pair merged(pair a, pair b) {
    const float most = fmaxf(a.most, b.most);
    return {most, a.sum * expf(a.most - most) + b.sum * expf(b.most - most)};
}

// Merges the pairs of all threads; each of them gets the result.
__device__ pair block_merged(pair mine) {
    __shared__ pair pairs[WARPS];
    const int lane = threadIdx.x % 32;
    for (int step = 16; step > 0; step /= 2) {
        const float most = __shfl_xor_sync(0xffffffff, mine.most, step);
        const float sum = __shfl_xor_sync(0xffffffff, mine.sum, step);
        mine = merged(mine, {most, sum});
    }
    if (lane == 0) {
        pairs[threadIdx.x / 32] = mine;
    }
    __syncthreads();  // every warp has stored its pair
    mine = pairs[0];
    for (int warp = 1; warp < WARPS; ++warp) {
        mine = merged(mine, pairs[warp]);
    }
    return mine;
}

__global__ void softmax(const float *x, float *y, int H, int W) {
    const float *from = x + blockIdx.x * W;
    float *to = y + blockIdx.x * W;
    const int chunk = EACH * blockDim.x;
    const int last = (W - 1) / chunk * chunk;  // where the last chunk of the row begins
    float value[EACH];

    pair mine = {LOWEST, 0.0f};
    for (int start = 0; start <= last; start += chunk) {
        float most = mine.most;
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int i = start + k * blockDim.x + threadIdx.x;
            value[k] = i < W ? from[i] : LOWEST;
            most = fmaxf(most, value[k]);
        }
        mine.sum *= expf(mine.most - most);
        mine.most = most;
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int i = start + k * blockDim.x + threadIdx.x;
            mine.sum += i < W ? expf(value[k] - most) : 0.0f;
        }
    }
    const pair whole = block_merged(mine);

    for (int start = last; start >= 0; start -= chunk) {  // the last chunk is still in value
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {
            const int i = start + k * blockDim.x + threadIdx.x;
            if (i < W) {
                const float element = start == last ? value[k] : from[i];
                to[i] = expf(element - whole.most) / whole.sum;
            }
        }
    }
}

LAUNCH_CONFIG(softmax, H, W) {
    const int warps = min(WARPS, ceil_div(W, 32 * EACH));
    launch->block = dim3(32 * warps);
    launch->grid = dim3(H);
}
