// 张量核心上的矩阵乘法，乘一些切片的同时复制另一些切片。
//
// 形状     A [M][K]、B [K][N] 是 half，C [M][N] 是 float：按行优先存放，没有填充，尺寸从 1 开始。
// 启动     每个线程块 128 个线程；一个线程块计算 C 的 128 x 128 个元素，一个线程束 64 x 64 个。
// 改进     因子以 half 到达，每次复制 16 字节，提前三个切片；每个切片一个屏障。
// 瓶颈     线程束要等到片段才能相乘；没有哪个片段是提前加载的。
// 来源     CUDA C++ Programming Guide，“Warp Matrix Functions”和“Asynchronous Data Copies”。
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#include "kernel.cuh"

#define BM     128  // 一个线程块负责的 C 的行数
#define BN     128  // 一个线程块负责的 C 的列数
#define BK     32   // 切片的深度
#define WM     64   // 一个线程束负责的 C 的行数
#define WN     64   // 一个线程束负责的 C 的列数
#define PIECE  16   // 片段在每个方向上的边长
#define PAD    8    // 共享内存中的行长出 16 字节，使其中 8 行用到所有存储体
#define CHUNK  8    // 一次 16 字节的复制移动的元素个数
#define STAGES 4    // 共享内存中的切片数：一个正在相乘，其余的在路上

#define THREADS (BM / WM * (BN / WN) * 32)

using namespace nvcuda;

using PieceA = wmma::fragment<wmma::matrix_a, PIECE, PIECE, PIECE, __half, wmma::row_major>;
using PieceB = wmma::fragment<wmma::matrix_b, PIECE, PIECE, PIECE, __half, wmma::row_major>;
using PieceC = wmma::fragment<wmma::accumulator, PIECE, PIECE, PIECE, float>;

struct slice {
    __half a[BM][BK + PAD];
    __half b[BK][BN + PAD];
};

// 开始复制一个分块，它在全局内存中的行有 `length` 个元素，是 CHUNK 的倍数。
// 分块中存在 `rows` x `cols` 个元素；其余的变成 0。WHOLE：它整个存在。
template <bool WHOLE, int ROWS, int COLS>
static __device__ __forceinline__ void copy_tile(__half (*to)[COLS + PAD], const __half *from,
                                                 int length, int rows, int cols) {
    const int row0 = threadIdx.x / (COLS / CHUNK);  // 我的第一段所在的行
    const int col = threadIdx.x % (COLS / CHUNK) * CHUNK;
    // TODO 1（约 4 行）：开始复制分块中归我的各段；不存在的段填 0
}

// 同上，但行长任意，逐个元素复制：除第一行外，各行都不必对齐。
template <int ROWS, int COLS>
static __device__ void store_tile(__half (*to)[COLS + PAD], const __half *from, int length,
                                  int rows, int cols) {
#pragma unroll 16
    for (int first = 0; first < ROWS * COLS; first += THREADS) {
        const int row = (first + threadIdx.x) / COLS;
        const int col = (first + threadIdx.x) % COLS;
        const bool exists = row < rows && col < cols;
        to[row][col] = exists ? from[row * length + col] : __float2half(0.0f);
    }
}

// 开始复制从 `t` 起的各项的切片（如果还有），作为一组。
static __device__ __forceinline__ void copy_slice(struct slice *to, const __half *A,
                                                  const __half *B, int t, int M, int N, int K) {
    const int row = blockIdx.y * BM;
    const int col = blockIdx.x * BN;
    const __half *a = &A[row * K + t];
    const __half *b = &B[t * N + col];
    const bool aligned = K % CHUNK == 0 && N % CHUNK == 0;
    if (aligned && row + BM <= M && col + BN <= N && t + BK <= K) {
        copy_tile<true, BM, BK>(to->a, a, K, M - row, K - t);
        copy_tile<true, BK, BN>(to->b, b, N, K - t, N - col);
    } else if (aligned && t < K) {
        copy_tile<false, BM, BK>(to->a, a, K, M - row, K - t);
        copy_tile<false, BK, BN>(to->b, b, N, K - t, N - col);
    } else if (t < K) {
        store_tile<BM, BK>(to->a, a, K, M - row, K - t);
        store_tile<BK, BN>(to->b, b, N, K - t, N - col);
    }
    __pipeline_commit();  // 自上次提交以来的所有复制是一组，也可能一个复制也没有
}

__global__ void __launch_bounds__(THREADS, 2)
    tensor_pipeline(const __half *A, const __half *B, float *C, int M, int N, int K) {
    extern __shared__ __align__(32) unsigned char memory[];
    struct slice *slices = (struct slice *)memory;
    float(*Cs)[BN + PAD] = (float(*)[BN + PAD]) memory;  // 最后使用，放在切片的位置上

    const int warp = threadIdx.x / 32;
    const int first_row = warp / (BN / WN) * WM;  // 我的线程束的第一行，在线程块那一块 C 之中
    const int first_col = warp % (BN / WN) * WN;

    PieceC acc[WM / PIECE][WN / PIECE];
    for (int i = 0; i < WM / PIECE; ++i) {
        for (int j = 0; j < WN / PIECE; ++j) {
            wmma::fill_fragment(acc[i][j], 0.0f);
        }
    }
    // TODO 2（约 2 行）：开始复制前 STAGES - 1 个切片，每个到自己的缓冲区
    for (int slice = 0; slice < ceil_div(K, BK); ++slice) {
        // TODO 3（约 4 行）：等到这个切片填满；然后复制到最近读完的缓冲区

        const struct slice *now = &slices[slice % STAGES];
        for (int k = 0; k < BK; k += PIECE) {
            PieceA a[WM / PIECE];
            PieceB b[WN / PIECE];
            // TODO 4（约 7 行）：加载我的线程束在这个切片中的小块，用 A 的每个乘 B 的每个
        }
    }
    __syncthreads();  // 每个线程束都读完了最后一个切片，所以 Cs 可以占用它的位置

    for (int i = 0; i < WM / PIECE; ++i) {
        for (int j = 0; j < WN / PIECE; ++j) {
            wmma::store_matrix_sync(&Cs[first_row + i * PIECE][first_col + j * PIECE], acc[i][j],
                                    BN + PAD, wmma::mem_row_major);
        }
    }
    __syncthreads();  // Cs 填满之后，线程才可以读它

#pragma unroll 8
    for (int first = 0; first < BM * BN; first += THREADS) {
        const int row = (first + threadIdx.x) / BN;
        const int col = (first + threadIdx.x) % BN;
        if (blockIdx.y * BM + row < M && blockIdx.x * BN + col < N) {
            C[(blockIdx.y * BM + row) * N + blockIdx.x * BN + col] = Cs[row][col];
        }
    }
}

LAUNCH_CONFIG(tensor_pipeline, M, N, K) {
    const int slices = STAGES * sizeof(struct slice);
    const int result = sizeof(float) * BM * (BN + PAD);
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
    launch->shared_bytes = slices > result ? slices : result;
}
