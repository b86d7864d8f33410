// 线程束分块的矩阵乘法：一个线程束的线程计算 C 中紧凑的一块。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 256 个线程；一个线程块计算 C 的 128 x 128 个元素，一个线程束 32 x 64 个。
// 改进     一个线程束的线程排成 4 x 8，读取的不同的字更少；乘当前切片的同时，
//          把下一个切片加载到寄存器。
//          这一步很长：线程的位置由它的线程束和它的通道决定。
// 瓶颈     提前加载的值占用寄存器，而且每个切片的两个屏障让所有线程束停下来。
// 来源     A. Kerr 等，“CUTLASS: Fast Linear Algebra in CUDA C++”，NVIDIA 2017。
#include "matmul.cuh"

#define BM 128  // 一个线程块负责的 C 的行数
#define BN 128  // 一个线程块负责的 C 的列数
#define BK 8    // 切片的深度
#define WM 32   // 一个线程束负责的 C 的行数
#define WN 64   // 一个线程束负责的 C 的列数
#define TM 8    // 一个线程负责的 C 的行数：4 行，再向下半个线程束块处还有 4 行
#define TN 8    // 一个线程负责的 C 的列数：4 列，再向右半个线程束块处还有 4 列
#define PAD 4   // As 中不使用的列，使线程束的存储用到所有存储体

#define THREADS (BM / WM * (BN / WN) * 32)

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

__global__ void __launch_bounds__(THREADS)
    matmul_warp_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float As[BK][BM + PAD];  // 转置存放：As 的一行是 A 的一列
    __shared__ __align__(16) float Bs[BK][BN];

    // 用于计算：我的第一个元素在线程块那一块 C 中的行和列。
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    int m = 0;
    int n = 0;
    // TODO 1（约 2 行）：m 和 n：线程束那一块在线程块中的起点，加上我在那一块里的位置

    // 用于复制：我在切片中的四个 A 元素和四个 B 元素里的第一个。
    const int a_row = threadIdx.x / (BK / 4);
    const int a_col = threadIdx.x % (BK / 4) * 4;
    const int b_row = threadIdx.x / (BN / 4);
    const int b_col = threadIdx.x % (BN / 4) * 4;

    float acc[TM][TN] = {};
    float4 a_next = load_four(A, M, K, blockIdx.y * BM + a_row, a_col);
    float4 b_next = load_four(B, K, N, b_row, blockIdx.x * BN + b_col);
    for (int k0 = 0; k0 < K; k0 += BK) {
        As[a_col + 0][a_row] = a_next.x;
        As[a_col + 1][a_row] = a_next.y;
        As[a_col + 2][a_row] = a_next.z;
        As[a_col + 3][a_row] = a_next.w;
        *(float4 *)&Bs[b_row][b_col] = b_next;
        __syncthreads();  // 切片填满之后，线程才可以读它们

        // TODO 2（约 3 行）：开始把下一个切片（如果还有）加载到 a_next 和 b_next

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            // TODO 3（约 8 行）：用 float4 加载读取 As 中我的 8 个值和 Bs 中我的 8 个值；64 次乘加
        }
        __syncthreads();  // 所有线程都读完切片之后，才可以重新填充
    }

    // TODO 4（约 6 行）：我的 64 个和中，元素在 C 之内的，存入 C
}

LAUNCH_CONFIG(matmul_warp_tiled, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
