// Softmax of each row: exp(x) divided by the sum of exp over the row, without overflow.
//
// Shapes   x and y [H][W]: row-major, any size from 1.
// Launch   one block for each row, with so many threads that each has about EACH elements.
// Idea     a thread keeps the largest element so far, and the sum of exp(element - largest).  At a
//          larger one it scales the sum.  Pairs of several threads are merged in the same way:
//          lanes by shuffles, warps in shared memory.  Each exp is kept until the row's sum is
//          known; then one multiplication is left.
// Limit    8 bytes of memory for each element.  Rows of more than 1024 * EACH are read twice.
// Source   Maxim Milakov and Natalia Gimelshein, "Online normalizer calculation for softmax"
//          (NVIDIA, 2018).
#include "kernel.cuh"

#define EACH   16
#define WARPS  32
#define LOWEST (-3.0e38f)  // below any element

struct pair {
    float most;  // the largest element
    float sum;   // of exp(element - most)
};

// Merges the pairs of the lanes of a warp; each lane gets the result.
__device__ pair warp_merged(pair mine) {
    //@cut 1 the largest maximum of all lanes; scale my sum to it; add the sums of all lanes
    float most = mine.most;
    for (int step = 16; step > 0; step /= 2) {
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));
    }
    float sum = mine.sum * expf(mine.most - most);
    for (int step = 16; step > 0; step /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, step);
    }
    return {most, sum};
    //@stub return mine;
    //@end
}

// Merges the pairs of all threads; each of them gets the result.
__device__ pair block_merged(pair mine) {
    __shared__ pair pairs[WARPS];
    const int lane = threadIdx.x % 32;
    //@cut 2 merge the lanes; store one pair for each warp, and wait; merge the pairs of the warps
    mine = warp_merged(mine);
    if (lane == 0) {
        pairs[threadIdx.x / 32] = mine;
    }
    __syncthreads();  // every warp has stored its pair
    mine = {LOWEST, 0.0f};
    if (lane < blockDim.x / 32) {
        mine = pairs[lane];
    }
    mine = warp_merged(mine);
    //@end
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
        //@cut 3 scale the sum to the new maximum; replace each value by its exp, and add that
        mine.sum *= expf(mine.most - most);
        mine.most = most;
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {
            value[k] = expf(value[k] - most);
            mine.sum += value[k];
        }
        //@end
    }
    const pair whole = block_merged(mine);

    //@cut 4 store the softmax of all elements: the last chunk is in value, read the others again
    const float scale = expf(mine.most - whole.most) / whole.sum;
    #pragma unroll
    for (int k = 0; k < EACH; ++k) {
        const int i = last + k * blockDim.x + threadIdx.x;
        if (i < W) {
            to[i] = value[k] * scale;
        }
    }
    for (int i = threadIdx.x; i < last; i += blockDim.x) {
        to[i] = expf(from[i] - whole.most) / whole.sum;
    }
    //@end
}

LAUNCH_CONFIG(softmax, H, W) {
    const int warps = min(WARPS, ceil_div(W, 32 * EACH));
    launch->block = dim3(32 * warps);
    launch->grid = dim3(H);
}
