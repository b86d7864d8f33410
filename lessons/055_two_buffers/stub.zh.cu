// 有两个缓冲区的矩阵乘法：当前切片还在被读取时，就存入下一个切片。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
// 启动     每个线程块 256 个线程；一个线程块计算 C 的 128 x 128 个元素，一个线程束 32 x 64 个。
// 改进     切片轮流使用两个缓冲区，所以每个切片只要一个屏障。
// 瓶颈     去共享内存途中的值在寄存器里等待；只提前一个切片。
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
    matmul_two_buffers(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float As[2][BK][BM + PAD];  // 转置存放，和以前一样；各有两份
    __shared__ __align__(16) float Bs[2][BK][BN];

    // 用于计算：我的第一个元素在线程块那一块 C 中的行和列。
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int m = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
    const int n = warp % (BN / WN) * WN + lane % (WN / TN) * 4;

    // 用于复制：我在切片中的四个 A 元素和四个 B 元素里的第一个。
    const int a_row = threadIdx.x / (BK / 4);
    const int a_col = threadIdx.x % (BK / 4) * 4;
    const int b_row = threadIdx.x / (BN / 4);
    const int b_col = threadIdx.x % (BN / 4) * 4;

    float acc[TM][TN] = {};
    float4 a_next = load_four(A, M, K, blockIdx.y * BM + a_row, a_col);
    float4 b_next = load_four(B, K, N, b_row, blockIdx.x * BN + b_col);
    // TODO 1（约 6 行）：把第一个切片存入缓冲区 0，等到它填满
    for (int slice = 0; slice < ceil_div(K, BK); ++slice) {
        const int k0 = (slice + 1) * BK;  // 下一个切片的起点
        int now = 0;
        // TODO 2（约 4 行）：选出这个切片的缓冲区，并开始加载下一个切片（如果还有）

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            *(float4 *)&a[0] = *(const float4 *)&As[now][k][m];
            *(float4 *)&a[4] = *(const float4 *)&As[now][k][m + WM / 2];
            *(float4 *)&b[0] = *(const float4 *)&Bs[now][k][n];
            *(float4 *)&b[4] = *(const float4 *)&Bs[now][k][n + WN / 2];
            for (int j = 0; j < TN; ++j) {
                for (int step = 0; step < TM; ++step) {
                    // 来回走：j 改变时，a 的那个值已经在寄存器里。
                    const int i = j % 2 == 0 ? step : TM - 1 - step;
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        // TODO 3（约 7 行）：把下一个切片（如果还有）存入另一个缓冲区；一个屏障
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            const int row = blockIdx.y * BM + m + i / 4 * (WM / 2) + i % 4;
            const int col = blockIdx.x * BN + n + j / 4 * (WN / 2) + j % 4;
            if (row < M && col < N) {
                C[row * N + col] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_two_buffers, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
