// 向量化的矩阵乘法：一个线程计算 C 的 8 x 8 个元素。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 16 x 16 个线程；一个线程块计算 C 的 128 x 128 个元素。
// 改进     As 是转置存放的，使 A 的一列中的 4 个值并排：对共享内存的加载
//          全都是 float4 加载。每个线程 8 x 8 个结果，分成四组，每组 4 x 4 个。
//          这一步很长：复制时要转置 A，而且行和列各分成两半。
// 瓶颈     线程束读取的是 C 的分块中又长又扁的一块，而且相乘的时候没有加载。
// 来源     V. Volkov 和 J. Demmel，“Benchmarking GPUs to Tune Dense Linear Algebra”，SC 2008。
#include "matmul.cuh"

#define BM 128  // 一个线程块负责的 C 的行数
#define BN 128  // 一个线程块负责的 C 的列数
#define BK 8    // 切片的深度
#define TM 8    // 一个线程负责的 C 的行数：4 行，再向下半个线程块处 4 行
#define TN 8    // 一个线程负责的 C 的列数：4 列，再向右半个线程块处 4 列
#define PAD 4   // As 中不使用的列，使线程束的存储用到所有存储体

// 读取 matrix[row][col .. col + 3]；矩阵 [rows][cols] 中没有的元素取 0。
static __device__ float4 load_four(const float *matrix, int rows, int cols, int row, int col) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows && cols % 4 == 0 && col < cols) {
        four = *(const float4 *)&matrix[row * cols + col];  // 每一行都从 16 字节的倍数处开始
    } else if (row < rows) {
        four.x = col + 0 < cols ? matrix[row * cols + col + 0] : 0.0f;
        four.y = col + 1 < cols ? matrix[row * cols + col + 1] : 0.0f;
        four.z = col + 2 < cols ? matrix[row * cols + col + 2] : 0.0f;
        four.w = col + 3 < cols ? matrix[row * cols + col + 3] : 0.0f;
    }
    return four;
}

__global__ void matmul_vectorized(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float As[BK][BM + PAD];  // 转置存放：As 的一行是 A 的一列
    __shared__ __align__(16) float Bs[BK][BN];

    // 用于计算：我的 C 元素从 row 和它下面半个线程块处开始，从 col 和它右边
    // 半个线程块处开始。
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty * 4;
    const int col = blockIdx.x * BN + tx * 4;

    // 用于复制：我在切片中的四个 A 元素和四个 B 元素里的第一个。
    const int id = ty * (BN / TN) + tx;
    const int a_row = id / (BK / 4);
    const int a_col = id % (BK / 4) * 4;
    const int b_row = id / (BN / 4);
    const int b_col = id % (BN / 4) * 4;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // TODO 1（约 6 行）：把 A 的一行中的四个元素复制到 As 的一列，把 B 的四个元素复制到 Bs
        __syncthreads();  // 切片填满之后，线程才可以读它们

        // TODO 2（约 10 行）：对每个 k：从 As 做两次 float4 加载，从 Bs 做两次，64 次乘加
        __syncthreads();  // 所有线程都读完切片之后，才可以重新填充
    }

    // TODO 3（约 6 行）：我的元素中，在 C 之内的，各存入自己的行和列
}

LAUNCH_CONFIG(matmul_vectorized, M, N, K) {
    launch->block = dim3(BN / TN, BM / TM);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
