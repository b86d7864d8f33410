// 朴素的矩阵乘法：一个线程计算 C 的一个元素。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 TILE x TILE 个线程；x 沿 C 的行走，y 沿 C 的列走。
// 思路     C[row][col] 是所有 k 的 A[row][k] * B[k][col] 之和，从全局内存读取。
// 瓶颈     线程束的每次乘加需要 L1 缓存的三个波前，而 L1 每个时钟周期
//          只送出一个。
// 来源     CUDA C++ Programming Guide，“Shared Memory”一章，第一个例子。
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    // TODO 1（约 2 行）：求出我的 C 元素所在的行和列

    // TODO 2（约 5 行）：如果我的元素在 C 之内，把它的 K 个乘积加起来，存入这个和
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
