// 寄存器分块的矩阵乘法：一个线程计算 C 的 4 x 4 个元素。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 16 x 16 个线程；一个线程块计算 C 的 64 x 64 个元素。
// 改进     从共享内存读出的值放在寄存器里用 4 次；float4 加载。
//          这一步很长：加载和计算需要两种从线程到元素的对应关系。
// 瓶颈     每个线程 4 x 4 个结果太少，而且相乘的时候没有加载。
// 来源     V. Volkov，“Better Performance at Lower Occupancy”，GTC 2010。
#include "matmul.cuh"

#define BM 64  // 一个线程块负责的 C 的行数
#define BN 64  // 一个线程块负责的 C 的列数
#define BK 16  // 切片的深度
#define TM 4   // 一个线程负责的 C 的行数
#define TN 4   // 一个线程负责的 C 的列数

// 读取 matrix[row][col .. col + 3]；矩阵 [rows][cols] 中没有的元素取 0。
static __device__ float4 load_four(const float *matrix, int rows, int cols, int row, int col) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    // TODO 1（约 7 行）：填写 four：如果各行是对齐的，用一次 float4 加载，否则逐个加载
    return four;
}

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ __align__(16) float As[BM][BK];
    __shared__ __align__(16) float Bs[BK][BN];

    // 用于计算：我的 4 x 4 个 C 元素从 row、col 开始。
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty * TM;
    const int col = blockIdx.x * BN + tx * TN;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // TODO 2（约 7 行）：把 A 的四个元素和 B 的四个元素复制到切片中
        __syncthreads();  // 切片填满之后，线程才可以读它们

        // TODO 3（约 9 行）：对每个 k：A 的 4 个值，B 的 4 个值，16 次乘加
        __syncthreads();  // 所有线程都读完切片之后，才可以重新填充
    }

    for (int i = 0; i < TM && row + i < M; ++i) {
        float *c = &C[(row + i) * N + col];
        if (N % 4 == 0 && col < N) {
            *(float4 *)c = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
            continue;
        }
        for (int j = 0; j < TN && col + j < N; ++j) {
            c[j] = acc[i][j];
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(BN / TN, BM / TM);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
