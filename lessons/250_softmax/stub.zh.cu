// 对每一行做 softmax：exp(x) 除以这一行的 exp 之和，不会溢出。
//
// 形状     x 和 y [H][W]：按行优先存放，任何从 1 开始的尺寸。
// 启动     每行一个线程块，线程的个数使每个线程大约有 EACH 个元素。
// 思路     线程记住到目前为止最大的元素，以及 exp(元素 - 最大值) 的和。遇到更大的
//          元素时，它缩放这个和。几个线程的这种数对用同样的办法合并：
//          通道之间用洗牌指令，线程束之间用共享内存。每个 exp 都保留到
//          这一行的和求出为止；那时只剩一次乘法。
// 瓶颈     每个元素 8 字节内存。长于 1024 * EACH 个元素的行要读两遍。
// 来源     Maxim Milakov 和 Natalia Gimelshein，“Online normalizer calculation for softmax”
//          （NVIDIA，2018）。
#include "kernel.cuh"

#define EACH   16
#define WARPS  32
#define LOWEST (-3.0e38f)  // 比任何元素都小

struct pair {
    float most;  // 最大的元素
    float sum;   // exp(元素 - most) 的和
};

// 合并线程束各通道的数对；每个通道都得到结果。
__device__ pair warp_merged(pair mine) {
    // TODO 1（约 7 行）：求所有通道的最大值；按它缩放我的和；把所有通道的和加起来
    return mine;
}

// 合并所有线程的数对；每个线程都得到结果。
__device__ pair block_merged(pair mine) {
    __shared__ pair pairs[WARPS];
    const int lane = threadIdx.x % 32;
    // TODO 2（约 8 行）：合并各通道；每个线程束存一个数对，然后等待；合并各线程束的数对
    return mine;
}

__global__ void softmax(const float *x, float *y, int H, int W) {
    const float *from = x + blockIdx.x * W;
    float *to = y + blockIdx.x * W;
    const int chunk = EACH * blockDim.x;
    const int last = (W - 1) / chunk * chunk;  // 这一行最后一段的起点
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
        // TODO 3（约 6 行）：按新的最大值缩放和；把每个值换成它的 exp，并加上去
    }
    const pair whole = block_merged(mine);

    // TODO 4（约 8 行）：存入所有元素的 softmax：最后一段在 value 里，其余的重新读取
}

LAUNCH_CONFIG(softmax, H, W) {
    const int warps = min(WARPS, ceil_div(W, 32 * EACH));
    launch->block = dim3(32 * warps);
    launch->grid = dim3(H);
}
