// 归约：求一个数组的和，只读数组一遍。
//
// 形状     x [N]、y [1]，任何从 1 开始的 N。
// 启动     clear 把取号的计数器设为 0；然后是 add，最多 BLOCKS 个线程块，
//          轮流处理 x。
// 思路     线程把自己的元素加起来，洗牌指令把线程束的各通道加起来，共享内存把
//          线程块的各线程束加起来，取到最后一个号的线程块把各线程块加起来。
// 瓶颈     每个元素 4 字节内存，只读一次。一个线程有 EACH 个 16 字节的加载
//          同时在途中。
// 来源     CUDA C++ Programming Guide，“Memory Fence Functions”：最后一个线程块；Justin Luitjens，
//          “Faster Parallel Reductions on Kepler”（NVIDIA，2014）：洗牌指令。
#include "kernel.cuh"

#define THREADS 512
#define WARPS   (THREADS / 32)
#define EACH    4    // 一个线程在相加之前的加载次数
#define BLOCKS  528  // 最多这么多：H100 的每个 SM 四个

// 把线程束的各通道加起来：通道 0 得到和。
__device__ float warp_sum(float sum) {
    // TODO 1（约 2 行）：分五步，加上编号更大的一个通道的和：相隔 16，然后 8、4、2 和 1
    return sum;
}

// 把线程块的各线程加起来：线程 0 得到和。
__device__ float block_sum(float sum) {
    __shared__ float sums[WARPS];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;

    sum = warp_sum(sum);
    // TODO 2（约 6 行）：各线程束的第一个通道存入自己的和；然后由第一个线程束把它们加起来
    return sum;
}

__global__ void clear(const float *x, float *y, int N, float *workspace) {
    *(unsigned *)workspace = 0;
}

__global__ void add(const float *x, float *y, int N, float *workspace) {
    unsigned *tickets = (unsigned *)workspace;
    float *parts = workspace + 32;
    __shared__ bool is_last;

    const float4 *fours = (const float4 *)x;
    const int first = blockIdx.x * THREADS + threadIdx.x;
    float sum = first < N % 4 ? x[N - 1 - first] : 0.0f;  // 剩下的不足四个的元素
    const int chunk = EACH * THREADS;
    for (int start = blockIdx.x * chunk; start < N / 4; start += gridDim.x * chunk) {
        float4 four[EACH];
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {  // 先发出所有加载，使它们同时在途中
            const int i = start + k * THREADS + threadIdx.x;
            four[k] = i < N / 4 ? fours[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        }
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {
            sum += (four[k].x + four[k].y) + (four[k].z + four[k].w);
        }
    }

    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        is_last = false;
        // TODO 3（约 4 行）：把这个线程块的和留在 parts 里，取一个号：它是不是最后一个？
    }
    __syncthreads();  // 每个线程都知道了这个线程块是不是最后一个

    if (is_last) {
        sum = 0.0f;
        for (int i = threadIdx.x; i < gridDim.x; i += THREADS) {
            sum += parts[i];
        }
        sum = block_sum(sum);
        if (threadIdx.x == 0) {
            y[0] = sum;
        }
    }
}

__global__ void reduction(const float *x, float *y, int N) {
}

LAUNCH_CONFIG(reduction, N) {
    launch->workspace_bytes = sizeof(float) * (32 + BLOCKS);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(add, dim3(min(BLOCKS, ceil_div(N, 4 * EACH * THREADS))), dim3(THREADS));
}
