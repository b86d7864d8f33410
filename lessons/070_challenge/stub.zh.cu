// 任何核函数、任何启动方式：同一种乘法，五种分块大小；切片平均分配。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     选用仍能让大显卡的每个 SM 都分到活的最大分块。不满一个波次的那些分块
//          沿 K 切开；由一次 LAUNCH_DEPENDENT 把部分和加起来。
// 改进     乘当前这个 k 的同时读取下一个 k 的值，跨越切片时也是如此；复制穿插在
//          乘法之间开始，没有分支，也不检查边缘；结果经过共享内存写到 C；
//          几个线程束可以分担一个切片的 k，最后把它们的和加起来。
// 瓶颈     SM 在 10 个时钟周期里有 9 个发射指令，这些指令 10 条中有 9 条是乘加；
//          在另外那个时钟周期里，有两个值来自同一个寄存器存储体。
// 来源     前面各课；A. Kerr 等，“CUTLASS: Fast Linear Algebra in CUDA C++”，2017；
//          M. Osama 等，“Stream-K”，PPoPP 2023。
#include <cuda_pipeline.h>

#include "matmul.cuh"
#include "ptx.cuh"

#define CARD          132  // 选择尺寸时所针对的显卡的 SM 数
#define SMALL_ROWS    16   // C 较小时，一个线程块负责的 C 的行数
#define SMALL_COLS    32   // 这个线程块负责的 C 的列数
#define SMALL_THREADS 256  // 这个线程块的线程数
#define ADD_THREADS   256  // 把各部分加起来的线程块的线程数……
#define ADD_TURNS     16   // ……部分很多时，其中这么多个线程轮流相加

// TODO 1（约 336 行）：你的核函数，想写几个就写几个，以及它们共用的东西

// LAUNCH_CONFIG 没有启动别的核函数的那些尺寸，都用这个核函数。
__global__ void matmul_challenge(const float *A, const float *B, float *C, int M, int N, int K) {
    // TODO 2（约 1 行）：其余所有尺寸的乘积
}

LAUNCH_CONFIG(matmul_challenge, M, N, K) {
    // TODO 3（约 12 行）：哪些尺寸用哪些核函数
    launch->block = SMALL_THREADS;
    launch->grid = ceil_div(N, SMALL_COLS) * ceil_div(M, SMALL_ROWS);
}
