// 矩阵转置：一个分块在共享内存里转置。
//
// 形状     x [H][W]、y [W][H]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 TILE x ROWS 个线程；一个线程块搬运一个 TILE x TILE 个元素的分块。
// 思路     线程束沿 x 的一行读取，沿 y 的一行存储，所以两者都是合并的。
//          两者之间的那个分块按列读取。编号相连的线程块
//          存储到相邻的地方。
// 瓶颈     每个元素 8 字节内存，任何转置都不能更少。
// 来源     Mark Harris，“An Efficient Matrix Transpose in CUDA C/C++”（NVIDIA，2013）。
#include "kernel.cuh"

#define TILE 64
#define ROWS 4

__global__ void transpose(const float *x, float *y, int H, int W) {
    __shared__ float tile[TILE][TILE + 1];  // 多一列：这样一列分布在 32 个存储体里

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.x * TILE;  // 分块在 x 中的起点
    const int col = blockIdx.y * TILE;

    // TODO 1（约 4 行）：复制 x 的分块：其中第 ty 行和往下每隔 ROWS 行的一行归我，列是 tx

    // TODO 2（约 5 行）：等待，然后存入 y 的分块的第 ty 行和往下每隔 ROWS 行的一行
}

LAUNCH_CONFIG(transpose, H, W) {
    launch->block = dim3(TILE, ROWS);
    launch->grid = dim3(ceil_div(H, TILE), ceil_div(W, TILE));
}
