// 直方图：256 个键中的每一个出现多少次。
//
// 形状     keys [N] 字节、counts [256]，任何从 1 开始的 N。
// 启动     clear 把各计数设为 0；然后是 count，最多 BLOCKS 个线程块，轮流处理。
// 思路     线程块在共享内存里计数，线程束的每个通道有计数的一份副本。
//          同一个计数的各份副本并排存放，所以每个通道有自己的存储体。
// 瓶颈     每个键 1 字节内存：原子操作跟得上它的速度。
// 来源     CUDA Samples，“histogram”：私有副本；每个通道一份是另加的。
#include "kernel.cuh"

#define THREADS 512
#define BLOCKS  528
#define BINS    256
#define COPIES  32

__global__ void clear(const uint8_t *keys, int *counts, int N) {
    counts[threadIdx.x] = 0;
}

__global__ void count(const uint8_t *keys, int *counts, int N) {
    __shared__ int mine[BINS][COPIES];
    const int copy = threadIdx.x % COPIES;

    // TODO 1（约 3 行）：把所有计数的所有副本设为 0，然后等待

    const uint4 *sixteens = (const uint4 *)keys;
    const int first = blockIdx.x * THREADS + threadIdx.x;
    for (int i = first; i < N / 16; i += gridDim.x * THREADS) {
        const uint4 sixteen = sixteens[i];
        const unsigned words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
        for (int k = 0; k < 16; ++k) {
            const int key = words[k / 4] >> k % 4 * 8 & 255;
            // TODO 2（约 1 行）：在我的副本里给这个键计数，其他线程束的线程也使用这份副本
        }
    }
    if (first < N % 16) {  // 剩下的不足十六个的键
        atomicAdd(&counts[keys[N - 1 - first]], 1);
    }

    // TODO 3（约 6 行）：等待，然后把每个计数的各份副本加起来，再把和加到 counts 上
}

__global__ void histogram(const uint8_t *keys, int *counts, int N) {
}

LAUNCH_CONFIG(histogram, N) {
    LAUNCH(clear, dim3(1), dim3(BINS));
    LAUNCH(count, dim3(min(BLOCKS, ceil_div(N, 16 * THREADS))), dim3(THREADS));
}
