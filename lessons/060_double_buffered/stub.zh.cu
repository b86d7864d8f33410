// 多级缓冲的矩阵乘法：乘一些切片的同时，复制另一些切片。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 64 个线程；一个线程块计算 C 的 64 x 128 个元素，一个线程束 64 x 64 个。
// 改进     异步复制从全局内存直接到共享内存，不经过寄存器，提前几个切片；
//          每个切片只要一个屏障。省下来的寄存器存放 16 x 8 个结果。
//          这一步很长：4 字节的复制不要求对齐，所以边缘的处理也是新的。
// 瓶颈     SM 的每个四分之一在一个时钟周期里发射一条指令；10 条中有 9 条是乘加。
// 来源     CUDA C++ Programming Guide，“Asynchronous Data Copies”一章。
#include <cuda_pipeline.h>

#include "matmul.cuh"

#define BM 64     // 一个线程块负责的 C 的行数
#define BN 128    // 一个线程块负责的 C 的列数
#define BK 8      // 切片的深度
#define WM 64     // 一个线程束负责的 C 的行数
#define WN 64     // 一个线程束负责的 C 的列数
#define TM 16     // 一个线程负责的 C 的行数：线程束那一块的每个四分之一中各 4 行
#define TN 8      // 一个线程负责的 C 的列数：4 列，再向右半个线程束块处还有 4 列
#define PAD 4     // As 中不使用的列，使线程束的存储用到所有存储体
#define STAGES 4  // 共享内存中的切片数：一个正在相乘，其余的在路上

#define WARPS (BM / WM * (BN / WN))
#define THREADS (WARPS * 32)

struct slice {
    float a[BK][BM + PAD];  // 转置存放：一行是 A 的一列
    float b[BK][BN];
};

// 线程从下一个切片复制什么：它在 A 中的第一个元素，它的线程束在 B 中的第一行；
// 以及矩阵还剩下多少。
struct source {
    const float *a, *b;
    int rows, cols;  // 从那里起，A 还剩几行，B 还剩几列
    int depth;       // 从这个切片起，K 还剩多少
};

// 开始复制一个元素；没有这个元素时取 0。
static __device__ __forceinline__ void copy_one(float *to, const float *from, bool exists) {
    __pipeline_memcpy_async(to, from, 4, exists ? 0 : 4);  // 最后一个数：有多少字节变成 0
}

// 开始复制一个切片。WHOLE：它整个存在。WIDE：B 的各行按 16 字节对齐。
template <bool WHOLE, bool WIDE>
static __device__ __forceinline__ void copy_slice(struct slice *to, const struct source &from,
                                                  int N, int K) {
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int a_row = lane / 8;  // 一个线程束每次复制 A 的 4 行，每行 8 个元素
    const int a_col = lane % 8;
    // TODO 1（约 13 行）：开始复制 A 和 B 中归我的元素
}

// 开始复制 `from` 指向的切片（如果还有），并移到下一个切片。
static __device__ __forceinline__ void copy_next(struct slice *to, struct source *from, bool inside,
                                                 int N, int K) {
    if (inside && from->depth >= BK && N % 4 == 0) {
        copy_slice<true, true>(to, *from, N, K);
    } else if (inside && from->depth >= BK) {
        copy_slice<true, false>(to, *from, N, K);
    } else if (from->depth > 0) {
        copy_slice<false, false>(to, *from, N, K);
    }
    __pipeline_commit();  // 自上次提交以来的所有复制是一组，也可能一个复制也没有
    from->a += BK;
    from->b += BK * N;
    from->depth -= BK;
}

__global__ void __launch_bounds__(THREADS)
    matmul_double_buffered(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) struct slice slices[STAGES];

    // 用于计算：我的第一个元素在线程块那一块 C 中的位置。
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    // 通道排成 2 x 2 的方块，使读相同字的通道彼此相邻。
    const int m = warp / (BN / WN) * WM + (lane / 16 * 2 + lane % 2) * 4;
    const int n = warp % (BN / WN) * WN + lane / 2 % 8 * 4;

    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;
    const bool inside = row0 + BM <= M && col0 + BN <= N;  // 线程块负责的那一块 C 是完整的
    const int a_row = row0 + 4 * warp + lane / 8;  // 我在 A 中的第一个元素所在的行
    struct source from = {&A[a_row * K + lane % 8], &B[warp * N + col0], M - a_row, N - col0, K};

    float acc[TM][TN] = {};
    // TODO 2（约 2 行）：开始复制前 STAGES - 1 个切片，每个到自己的缓冲区
    for (int slice = 0; slice < ceil_div(K, BK); ++slice) {
        // TODO 3（约 2 行）：等待我对这个切片的复制完成，再等待其他线程的复制

        // TODO 4（约 1 行）：开始把一个切片复制到最近读完的那个缓冲区

        const struct slice *now = &slices[slice % STAGES];
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            for (int i = 0; i < TM; i += 4) {
                *(float4 *)&a[i] = *(const float4 *)&now->a[k][m + i / 4 * (WM / 4)];
            }
            for (int j = 0; j < TN; j += 4) {
                *(float4 *)&b[j] = *(const float4 *)&now->b[k][n + j / 4 * (WN / 2)];
            }
            for (int i = 0; i < TM; ++i) {
                for (int step = 0; step < TN; ++step) {
                    // 来回走：i 改变时，b 的那个值已经在寄存器里。
                    const int j = i % 2 == 0 ? step : TN - 1 - step;
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            const int row = row0 + m + i / 4 * (WM / 4) + i % 4;
            const int col = col0 + n + j / 4 * (WN / 2) + j % 4;
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_double_buffered, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
