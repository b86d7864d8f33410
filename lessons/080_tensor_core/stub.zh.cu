// 张量核心上的矩阵乘法：一个线程束做整块 16 x 16 的乘法。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 THREADS 个线程；一个线程块计算 C 的 BLOCK x BLOCK 个元素。
// 思路     因子只保留 11 位（TF32）；和仍然是 fp32。
// 瓶颈     线程束轮流加载、等待、相乘：张量核心大部分时间在等待。
// 来源     CUDA C++ Programming Guide，“Warp Matrix Functions”。
#include "matmul.cuh"

#include <mma.h>

#define BLOCK   64   // 线程块负责的那一块 C 的边长；4 个线程束各计算其中的 32 x 32
#define THREADS 128  // 4 个线程束
#define DEPTH   32   // 同时放在共享内存里的项数
#define PIECE   16   // 一次调用所乘的小块的边长……
#define TERMS   8    // ……以及它有多少项
#define PAD     4    // 共享内存中的行要长一些，使各行从不同的存储体开始

using namespace nvcuda;

using tf32 = wmma::precision::tf32;
using PieceA = wmma::fragment<wmma::matrix_a, PIECE, PIECE, TERMS, tf32, wmma::row_major>;
using PieceB = wmma::fragment<wmma::matrix_b, PIECE, PIECE, TERMS, tf32, wmma::row_major>;
using PieceC = wmma::fragment<wmma::accumulator, PIECE, PIECE, TERMS, float>;

__global__ void __launch_bounds__(THREADS)
    matmul_tensor_core(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(32) float As[BLOCK][DEPTH + PAD];
    __shared__ __align__(32) float Bs[DEPTH][BLOCK + PAD];
    __shared__ __align__(32) float Cs[BLOCK][BLOCK + PAD];

    const int warp = threadIdx.x / 32;
    const int first_row = warp / 2 * 32;  // 我的线程束的第一行，在线程块那一块 C 之中
    const int first_col = warp % 2 * 32;
    const int row = blockIdx.y * BLOCK;
    const int col = blockIdx.x * BLOCK;

    PieceC acc[2][2];
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
            wmma::fill_fragment(acc[i][j], 0.0f);
        }
    }
    for (int t = 0; t < K; t += DEPTH) {
#pragma unroll  // 所有加载都开始之后，核函数才等待第一个
        for (int first = 0; first < BLOCK * DEPTH; first += THREADS) {
            const int i = first + threadIdx.x;
            const int a_row = row + i / DEPTH;
            const int a_col = t + i % DEPTH;
            As[i / DEPTH][i % DEPTH] = a_row < M && a_col < K ? A[a_row * K + a_col] : 0.0f;
            const int b_row = t + i / BLOCK;
            const int b_col = col + i % BLOCK;
            Bs[i / BLOCK][i % BLOCK] = b_row < K && b_col < N ? B[b_row * N + b_col] : 0.0f;
        }
        __syncthreads();  // 分块填满之后，线程束才可以读它们

        for (int k = 0; k < DEPTH; k += TERMS) {
            PieceA a[2];
            PieceB b[2];
            // TODO 1（约 7 行）：加载 As 的两个小块和 Bs 的两个小块，把它们的元素舍入到 TF32

            // TODO 2（约 3 行）：用 A 的每个小块乘 B 的每个小块
        }
        __syncthreads();  // 每个线程束都读完分块之后，才可以重新填充
    }

    // TODO 3（约 4 行）：把四个小块存入 Cs，它的每行有 BLOCK + PAD 个元素
    __syncthreads();  // Cs 填满之后，线程才可以读它

    for (int i = threadIdx.x; i < BLOCK * BLOCK; i += THREADS) {
        const int c_row = row + i / BLOCK;
        const int c_col = col + i % BLOCK;
        if (c_row < M && c_col < N) {
            C[c_row * N + c_col] = Cs[i / BLOCK][i % BLOCK];
        }
    }
}

LAUNCH_CONFIG(matmul_tensor_core, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BLOCK), ceil_div(M, BLOCK));
}
