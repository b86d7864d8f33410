// 分块的矩阵乘法：一个线程块的线程共用它们加载的数据。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 TILE x TILE 个线程；一个线程计算 C 的一个元素。
// 改进     每个元素在一个线程块里只从全局内存到共享内存一次，使用 TILE 次。
// 瓶颈     每次乘加仍然要从共享内存加载两次。
// 来源     CUDA C++ Programming Guide，“Shared Memory”一章；边界检查和补零是另加的。
#include "matmul.cuh"

#define TILE 16

__global__ void matmul_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    // TODO 1（约 2 行）：求出我的 C 元素所在的行和列，和朴素核函数一样

    float acc = 0.0f;
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        // TODO 2（约 4 行）：把 A 的一个元素和 B 的一个元素复制到分块中，没有的元素取 0

        // TODO 3（约 4 行）：两个屏障，以及它们之间这个分块的各个乘积
    }

    // TODO 4（约 2 行）：如果我的元素在 C 之内，存入和
}

LAUNCH_CONFIG(matmul_tiled, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, TILE));
}
