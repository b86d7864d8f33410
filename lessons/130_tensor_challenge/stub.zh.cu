// 张量核心上任何核函数、任何启动方式：wgmma 的分块、K 分成几份，或者 WMMA，按尺寸选择。
//
// 形状     half 的 A [M][K]、B [K][N]，float 的 C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     分块很多时是 128 x 256，如果 128 x 192 更快就用它，否则是 128 x 64；
//          分块很少时，把 K 分成几份，由最后一次启动加起来；小矩阵只用一次启动。
//          B 中不从 16 字节的倍数处开始的各行，先复制成更长的行；
//          A 中每隔七行就有一行从那里开始。
// 改进     几个核函数，按尺寸选择，它们的启动互相重叠；描述符只计算一次；线程互相交换和，
//          这样每个线程存储 16 字节，或者一个线程束一次存储同一行的 32 个元素；
//          大分块的一半在计算下一个分块的同时存储。
// 瓶颈     线程块存储另一半期间，SM 的张量核心在等待。
// 来源     前面各课；A. Kerr 等，“CUTLASS: Fast Linear Algebra in CUDA C++”，2017。
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define CARD          132  // 选择尺寸时所针对的显卡的 SM 数
#define SMALL_ROWS    32   // 矩阵较小时，一个线程块负责的 C 的行数
#define SMALL_COLS    64   // 这个线程块负责的 C 的列数
#define SMALL_THREADS 256  // 这个线程块的线程数：8 个线程束，各算 16 x 16 个元素

// TODO 1（约 379 行）：你的核函数，想写几个就写几个，以及它们共用的东西

// LAUNCH_CONFIG 没有启动别的核函数的那些尺寸，都用这个核函数。
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    // TODO 2（约 33 行）：其余所有尺寸的乘积
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    // TODO 3（约 35 行）：哪些尺寸用哪些核函数
    launch->block = SMALL_THREADS;
    launch->grid = dim3(ceil_div(N, SMALL_COLS), ceil_div(M, SMALL_ROWS));
}
