// 包含式扫描：y 的第 i 个元素是 x 的前 i + 1 个元素之和，只读一遍。
//
// 形状     x 和 y [N]，任何从 1 开始的 N。
// 启动     clear 清空各部分的字；然后是 scan_parts，每个 PART 个元素的部分
//          有一个 THREADS 个线程的线程块。
// 思路     线程块一算出自己那部分的和就公布它，并回头看前面的各部分。
//          它把它们的和加起来，直到遇见一个知道到自己末尾为止的总和的部分。
// 瓶颈     每个元素 8 字节内存，以及回头走到最近一个已完成部分的路程。
// 来源     Duane Merrill 和 Michael Garland，“Single-pass Parallel Prefix Scan with Decoupled
//          Look-back”（NVIDIA，2016）。
#include "kernel.cuh"

#define THREADS 384
#define WARPS   (THREADS / 32)
#define ROUNDS  8               // 一个线程的 float4 加载次数
#define OF_WARP (ROUNDS * 128)  // 一个线程束的元素个数
#define PART    (WARPS * OF_WARP)
#define LANES   0xffffffffu

// 一个部分公布的东西：字的高半部分是下面几种之一，低半部分是一个和。
// 两者用一次原子操作一起送出，所以没有线程块会只看到其中一个。
enum { EMPTY, OWN, ALL };  // 什么都没有；本部分的和；到本部分末尾为止所有元素的和
typedef unsigned long long word;

__device__ word packed(int state, float sum) {
    return (word)state << 32 | __float_as_uint(sum);
}

// 对线程束的各通道做包含式扫描。
__device__ float warp_scan(float sum) {
    // TODO 1（约 3 行）：分五步，加上编号更小的一个通道（如果有）的和：相隔 1，然后 2、4、8、16
    return sum;
}

// 某个部分之前所有元素的和。由一个线程束调用，它的各通道一次看 32 个部分。
__device__ float look_back(word *words, int part) {
    const int lane = threadIdx.x % 32;
    float before = 0.0f;
    bool is_done = false;
    for (int nearest = part - 1; nearest >= 0 && !is_done; nearest -= 32) {
        const int other = nearest - lane;  // 小于 0：没有这样的部分
        word seen = packed(ALL, 0.0f);
        // TODO 2（约 4 行）：读取我看的那个部分的字，只要还有通道看到 EMPTY 就反复再读

        // 最近的一个知道 ALL 的部分结束回头的路；比它更远的部分不加进来。
        const unsigned knows_all = __ballot_sync(LANES, seen >> 32 == ALL);
        const int last = knows_all != 0 ? __ffs(knows_all) - 1 : 31;
        float sum = lane <= last ? __uint_as_float((unsigned)seen) : 0.0f;
        for (int step = 16; step > 0; step /= 2) {
            sum += __shfl_xor_sync(LANES, sum, step);
        }
        before += sum;
        is_done = knows_all != 0;
    }
    return before;
}

__global__ void clear(const float *x, float *y, int N, float *workspace) {
    word *words = (word *)workspace;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i <= ceil_div(N, PART);
         i += gridDim.x * THREADS) {
        words[i] = packed(EMPTY, 0.0f);
    }
}

__global__ void scan_parts(const float *x, float *y, int N, float *workspace) {
    __shared__ float sums[WARPS];
    __shared__ float before;
    __shared__ int drawn;
    int *tickets = (int *)workspace;
    word *words = (word *)workspace + 1;

    // 各部分按线程块开始的先后分给线程块，所以被看的部分，
    // 它的线程块一定在运行。
    if (threadIdx.x == 0) {
        drawn = atomicAdd(tickets, 1);
    }
    __syncthreads();  // 这个部分的编号已经知道了
    const int part = drawn;
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    const int first = part * PART + warp * OF_WARP + lane * 4;

    float4 four[ROUNDS];
    for (int r = 0; r < ROUNDS; ++r) {
        const int i = first + r * 128;
        if (i + 3 < N) {
            four[r] = *(const float4 *)(x + i);
        } else {
            four[r].x = i < N ? x[i] : 0.0f;
            four[r].y = i + 1 < N ? x[i + 1] : 0.0f;
            four[r].z = i + 2 < N ? x[i + 2] : 0.0f;
            four[r].w = 0.0f;
        }
    }

    float of_warp = 0.0f;  // 到目前为止各轮的和
    for (int r = 0; r < ROUNDS; ++r) {
        four[r].y += four[r].x;
        four[r].z += four[r].y;
        four[r].w += four[r].z;
        const float up_to = warp_scan(four[r].w);
        const float below = __shfl_up_sync(LANES, up_to, 1);
        const float offset = of_warp + (lane > 0 ? below : 0.0f);
        four[r].x += offset;
        four[r].y += offset;
        four[r].z += offset;
        four[r].w += offset;
        of_warp += __shfl_sync(LANES, up_to, 31);
    }
    if (lane == 0) {
        sums[warp] = of_warp;
    }
    __syncthreads();  // 每个线程束都存好了自己的和

    if (warp == 0) {
        const float up_to = warp_scan(lane < WARPS ? sums[lane] : 0.0f);
        const float below = __shfl_up_sync(LANES, up_to, 1);
        const float own = __shfl_sync(LANES, up_to, WARPS - 1);
        // TODO 3（约 6 行）：公布本部分的和，回头看，再公布到本部分末尾为止的总和
        before = 0.0f;
        (void)own;
        if (lane < WARPS) {
            sums[lane] = lane > 0 ? below : 0.0f;  // 现在是前面各线程束的和
        }
    }
    __syncthreads();  // 前面的和已经知道了

    const float offset = before + sums[warp];
    for (int r = 0; r < ROUNDS; ++r) {
        const int i = first + r * 128;
        if (i + 3 < N) {
            *(float4 *)(y + i) = make_float4(four[r].x + offset, four[r].y + offset,
                                             four[r].z + offset, four[r].w + offset);
        } else if (i < N) {
            y[i] = four[r].x + offset;
            if (i + 1 < N) {
                y[i + 1] = four[r].y + offset;
            }
            if (i + 2 < N) {
                y[i + 2] = four[r].z + offset;
            }
        }
    }
}

__global__ void scan(const float *x, float *y, int N) {
}

LAUNCH_CONFIG(scan, N) {
    const int parts = ceil_div(N, PART);
    launch->workspace_bytes = sizeof(word) * (1 + parts);
    LAUNCH(clear, dim3(min(64, ceil_div(parts + 1, THREADS))), dim3(THREADS));
    LAUNCH(scan_parts, dim3(parts), dim3(THREADS));
}
