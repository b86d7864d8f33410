// 张量核心上的矩阵乘法，比 WMMA 低一层：每个线程加载自己的寄存器。
//
// 形状     A [M][K]、B [K][N] 是 half，C [M][N] 是 float：按行优先存放，没有填充，尺寸从 1 开始。
// 启动     每个线程块 256 个线程；一个线程块计算 C 的 128 x 256 个元素，一个线程束 64 x 64 个。
// 改进     ldmatrix 和 mma.sync；用 swizzle 代替填充；片段提前一步加载。
// 瓶颈     每个操作数都要经过寄存器，每个线程束都加载自己的一份。
// 来源     PTX ISA，“Matrix multiply-accumulate operations”；CUTLASS，“Efficient GEMM in CUDA”。
#include <cuda_fp16.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define BM     128  // 一个线程块负责的 C 的行数
#define BN     256  // 一个线程块负责的 C 的列数
#define BK     32   // 切片的深度
#define WM     64   // 一个线程束负责的 C 的行数
#define WN     64   // 一个线程束负责的 C 的列数
#define MMA_M  16   // 一次 mma.sync 用 A 的 16 x 16 个元素乘 B 的 16 x 8 个
#define MMA_N  8
#define MMA_K  16
#define CHUNK  8  // 16 字节中的元素个数：一次复制移动的，也是 ldmatrix 的矩阵的一行
#define STAGES 4  // 共享内存中的切片数：一个正在相乘，其余的在路上

#define THREADS (BM / WM * (BN / WN) * 32)
#define STEPS   (BK / MMA_K)  // 一个切片的步数

// 线程块怎样复制：所有的段都存在；逐段检查；或者行没有按段对齐。
enum copies { WHOLE, CHECKED, SINGLE };

struct slice {
    __half a[BM][BK];
    __half b[BK][BN];
};

// 一步之中，一个线程持有的它的线程束的操作数。
struct fragments {
    unsigned a[WM / MMA_M][4];
    unsigned b[WN / MMA_N][2];
};

// 一行的元素 `col` 在共享内存的这一行中位于哪一列。COLS：一行的列数。
template <int COLS> static __device__ __forceinline__ int swizzled(int row, int col) {
    int chunk = col / CHUNK;
    // TODO 1（约 4 行）：交换各段的位置，使 8 行的同一段用到所有存储体
    return chunk * CHUNK + col % CHUNK;
}

// 开始复制一个分块，它在全局内存中的行有 `length` 个元素，是 CHUNK 的倍数。
// 分块中存在 `rows` x `cols` 个元素；其余的变成 0。WHOLE：它整个存在。
template <enum copies HOW, int ROWS, int COLS>
static __device__ __forceinline__ void copy_tile(__half (*to)[COLS], const __half *from, int length,
                                                 int rows, int cols) {
    const int rows_at_once = THREADS / (COLS / CHUNK);
    const int row0 = threadIdx.x / (COLS / CHUNK);  // 我的第一段所在的行
    const int col = threadIdx.x % (COLS / CHUNK) * CHUNK;
    const __half *mine = &from[row0 * length + col];
#pragma unroll
    for (int row = row0; row < row0 + ROWS; row += rows_at_once) {
        const bool exists = HOW == WHOLE || (row < rows && col < cols);
        ptx::cp_async_cg_16(&to[row][swizzled<COLS>(row, col)], mine, exists ? 16 : 0);
        mine += rows_at_once * length;
    }
}

// 同上，但行长任意，逐个元素复制：除第一行外，各行都不必对齐。
template <int ROWS, int COLS>
static __device__ void store_tile(__half (*to)[COLS], const __half *from, int length, int rows,
                                  int cols) {
#pragma unroll 16
    for (int first = 0; first < ROWS * COLS; first += THREADS) {
        const int row = (first + threadIdx.x) / COLS;
        const int col = (first + threadIdx.x) % COLS;
        const bool exists = row < rows && col < cols;
        to[row][swizzled<COLS>(row, col)] =
            exists ? from[row * length + col] : __float2half(0.0f);
    }
}

// 开始复制从 `t` 起的各项的切片（如果还有），作为一组。
template <enum copies HOW>
static __device__ __forceinline__ void copy_slice(struct slice *to, const __half *A,
                                                  const __half *B, int t, int M, int N, int K) {
    const int row = blockIdx.y * BM;
    const int col = blockIdx.x * BN;
    const __half *a = &A[row * K + t];
    const __half *b = &B[t * N + col];
    if (HOW == SINGLE && t < K) {
        store_tile<BM, BK>(to->a, a, K, M - row, K - t);
        store_tile<BK, BN>(to->b, b, N, K - t, N - col);
    } else if (t < K) {
        copy_tile<HOW, BM, BK>(to->a, a, K, M - row, K - t);
        copy_tile<HOW, BK, BN>(to->b, b, N, K - t, N - col);
    }
    ptx::cp_async_commit_group();  // 自上次提交以来的所有复制是一组，也可能一个复制也没有
}

// 对切片的第 k 到 k + MMA_K - 1 项，加载我的线程束的片段。线程束的第一行和第一列是在线程块那一块
// C 之中的。
static __device__ __forceinline__ void load_fragments(struct fragments *to,
                                                      const struct slice *from, int first_row,
                                                      int first_col, int k) {
    const int lane = threadIdx.x % 32;
    // TODO 2（约 15 行）：加载我的片段；每个通道指出一行，共 8 个元素
}

// 计算 C 中我的线程束的部分。
template <enum copies HOW>
static __device__ __forceinline__ void multiply(float (&acc)[WM / MMA_M][WN / MMA_N][4],
                                                struct slice *slices, const __half *A,
                                                const __half *B, int first_row, int first_col,
                                                int M, int N, int K) {
    struct fragments use[2];  // 这一步的，和下一步的
    for (int slice = 0; slice < STAGES - 1; ++slice) {
        copy_slice<HOW>(&slices[slice], A, B, slice * BK, M, N, K);
    }
    ptx::cp_async_wait_group<STAGES - 2>();
    __syncthreads();  // 切片 0 已填满
    load_fragments(&use[0], &slices[0], first_row, first_col, 0);

    const int count = ceil_div(K, BK);
    for (int slice = 0; slice < count; ++slice) {
        const struct slice *now = &slices[slice % STAGES];
        const struct slice *after = &slices[(slice + 1 < count ? slice + 1 : slice) % STAGES];
#pragma unroll
        for (int step = 0; step < STEPS; ++step) {
            // TODO 3（约 10 行）：加载下一步的片段；等待，并复制后面的切片
#pragma unroll
            for (int i = 0; i < WM / MMA_M; ++i) {
#pragma unroll
                for (int j = 0; j < WN / MMA_N; ++j) {
                    ptx::mma_m16n8k16_f16(acc[i][j], use[step % 2].a[i], use[step % 2].b[j],
                                          acc[i][j]);
                }
            }
        }
    }
}

__global__ void __launch_bounds__(THREADS, 1)
    tensor_mma(const __half *A, const __half *B, float *C, int M, int N, int K) {
    extern __shared__ __align__(16) unsigned char memory[];
    struct slice *slices = (struct slice *)memory;

    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int first_row = warp / (BN / WN) * WM;  // 我的线程束的第一行，在线程块那一块 C 之中
    const int first_col = warp % (BN / WN) * WN;
    const int row0 = blockIdx.y * BM;
    const int col0 = blockIdx.x * BN;
    float acc[WM / MMA_M][WN / MMA_N][4] = {};

    const bool aligned = K % CHUNK == 0 && N % CHUNK == 0;
    if (aligned && K % BK == 0 && row0 + BM <= M && col0 + BN <= N) {
        multiply<WHOLE>(acc, slices, A, B, first_row, first_col, M, N, K);
    } else if (aligned) {
        multiply<CHECKED>(acc, slices, A, B, first_row, first_col, M, N, K);
    } else {
        multiply<SINGLE>(acc, slices, A, B, first_row, first_col, M, N, K);
    }

#pragma unroll
    for (int i = 0; i < WM / MMA_M; ++i) {
#pragma unroll
        for (int j = 0; j < WN / MMA_N; ++j) {
#pragma unroll
            for (int lower = 0; lower < 2; ++lower) {
                // TODO 4（约 9 行）：存储这两个元素，如果它们存在
            }
        }
    }
}

LAUNCH_CONFIG(tensor_mma, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
    launch->shared_bytes = STAGES * sizeof(struct slice);
}
