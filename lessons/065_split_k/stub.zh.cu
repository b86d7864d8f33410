// 把 K 分成几份的矩阵乘法：C 较小的乘积也有更多的线程块。
//
// 形状     A [M][K]、B [K][N]、C [M][N]：按行优先存放，没有填充，任何从 1 开始的尺寸。
//          workspace [PARTS][M][N]，如果 C 的分块很少。
// 启动     每个线程块 16 x 16 个线程，负责一份中的 64 x 64 个元素；
//          然后由第二次启动把各份加起来。
// 改进     一个分块的切片由 PARTS 个线程块求和，而不是一个。
// 瓶颈     每个元素的 PARTS 个和要写一遍再读一遍；C 很大时不需要分成几份。
// 来源     CUTLASS，“Efficient GEMM in CUDA”，“Parallelized reductions”一节。
#include "matmul.cuh"

#define BM 64     // 一个线程块负责的 C 的行数
#define BN 64     // 一个线程块负责的 C 的列数
#define BK 16     // 切片的深度
#define TM 4      // 一个线程负责的 C 的行数
#define TN 4      // 一个线程负责的 C 的列数
#define PARTS 16  // 如果 C 的分块很少，K 分成的份数
#define FEW 64    // C 的分块数：比这更少时，大显卡的大多数 SM 都闲着

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

// 对 K 中从 `first` 起、到 `end` 之前为止的切片求和，存入 `to` [M][N]。
static __device__ void sum_slices(const float *A, const float *B, float *to, int M, int N, int K,
                                  int first, int end) {
    __shared__ __align__(16) float As[BM][BK];
    __shared__ __align__(16) float Bs[BK][BN];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty * TM;
    const int col = blockIdx.x * BN + tx * TN;
    const int id = ty * (BN / TN) + tx;
    const int a_row = id / (BK / 4);  // 4 个线程填 As 的一行
    const int a_col = id % (BK / 4) * 4;
    const int b_row = id / (BN / 4);  // 16 个线程填 Bs 的一行
    const int b_col = id % (BN / 4) * 4;

    float acc[TM][TN] = {};
    for (int k0 = first * BK; k0 < end * BK; k0 += BK) {
        *(float4 *)&As[a_row][a_col] = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);
        *(float4 *)&Bs[b_row][b_col] = load_four(B, K, N, k0 + b_row, blockIdx.x * BN + b_col);
        __syncthreads();  // 切片填满之后，线程才可以读它们

        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) {
                a[i] = As[ty * TM + i][k];
            }
            for (int j = 0; j < TN; ++j) {
                b[j] = Bs[k][tx * TN + j];
            }
            for (int i = 0; i < TM; ++i) {
                for (int j = 0; j < TN; ++j) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();  // 所有线程都读完切片之后，才可以重新填充
    }

    for (int i = 0; i < TM && row + i < M; ++i) {
        float *c = &to[(row + i) * N + col];
        if (N % 4 == 0 && col < N) {
            *(float4 *)c = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
            continue;
        }
        for (int j = 0; j < TN && col + j < N; ++j) {
            c[j] = acc[i][j];
        }
    }
}

// 只有一份，直接存入 C：用于分块很多的 C。
__global__ void matmul_split_k(const float *A, const float *B, float *C, int M, int N, int K) {
    // TODO 1（约 1 行）：对 K 的所有切片求和，存入 C
}

// 线程块 (x, y, z) 对分块 (x, y) 的第 z 份求和。
__global__ void sum_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    // TODO 2（约 5 行）：对我这一份的切片求和，存入工作区 [PARTS][M][N] 中我的那个矩阵
}

// 每个线程把 C 的一个元素的 PARTS 个和加起来。
__global__ void add_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    // TODO 3（约 6 行）：如果我的元素在 C 之内，把它在工作区里的 PARTS 个和加起来，存入结果
}

LAUNCH_CONFIG(matmul_split_k, M, N, K) {
    const dim3 threads(BN / TN, BM / TM);
    const dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));
    // TODO 4（约 5 行）：如果 C 的分块少于 FEW 个：申请工作区，每个分块 PARTS 个线程块，然后相加
    launch->block = threads;
    launch->grid = tiles;
}
