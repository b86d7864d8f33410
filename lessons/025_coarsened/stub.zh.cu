// 线程粗化的矩阵乘法：一个线程计算 C 的一列中的四个元素。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 16 x 16 个线程；一个线程块计算 C 的 64 x 16 个元素。
// 改进     从 Bs 读出的值留在寄存器里，供四个结果使用。
// 瓶颈     从 As 读出的每个值仍然只用于一次乘加。
// 来源     PMPP 一书“性能方面的考虑因素”一章，“线程粗化”一节。
#include "matmul.cuh"

#define TILE 16         // 线程的行数和列数，线程块负责的 C 的列数，切片的深度
#define TM 4            // 一个线程的结果个数，彼此相隔 TILE 行
#define BM (TM * TILE)  // 一个线程块负责的 C 的行数

__global__ void matmul_coarsened(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[BM][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty;  // 我的第一个结果所在的行；下一个结果在它下面 TILE 行
    const int col = blockIdx.x * TILE + tx;

    float acc[TM] = {};
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        // TODO 1（约 6 行）：把 A 的四个元素和 B 的一个元素复制到切片中，没有的元素取 0
        __syncthreads();  // 切片填满之后，线程才可以读它们

        // TODO 2（约 4 行）：对每个 k：读 Bs 的一个值，用它做四次乘加
        __syncthreads();  // 所有线程都读完切片之后，才可以重新填充
    }

    // TODO 3（约 3 行）：我的四个和中，元素在 C 之内的，存入 C
}

LAUNCH_CONFIG(matmul_coarsened, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, BM));
}
