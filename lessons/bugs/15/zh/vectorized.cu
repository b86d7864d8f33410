#include "matmul.cuh"

#define BM 128  // 一个线程块负责的 C 的行数
#define BN 128  // 一个线程块负责的 C 的列数
#define BK 8    // 切片的深度
#define TM 8    // 一个线程负责的 C 的行数：4 行，再向下半个线程块处还有 4 行
#define TN 8    // 一个线程负责的 C 的列数：4 列，再向右半个线程块处还有 4 列
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
        const float4 four = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);
        As[a_col + 0][a_row] = four.x;
        As[a_col + 1][a_row] = four.y;
        As[a_col + 2][a_row] = four.z;
        As[a_col + 3][a_row] = four.w;
        *(float4 *)&Bs[b_row][b_col] = load_four(B, K, N, k0 + b_row, blockIdx.x * BN + b_col);
        __syncthreads();  // 切片填满之后，线程才可以读它们

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            *(float4 *)&a[0] = *(const float4 *)&As[k][ty * 4];
            *(float4 *)&a[4] = *(const float4 *)&As[k][BM / 2 + ty * 4];
            *(float4 *)&b[0] = *(const float4 *)&Bs[k][tx * 4];
            *(float4 *)&b[4] = *(const float4 *)&Bs[k][BN / 4 + tx * 4];
            for (int j = 0; j < TN; ++j) {
                for (int i = 0; i < TM; ++i) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();  // 所有线程都读完切片之后，才可以重新填充
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            const int r = row + i / 4 * (BM / 2) + i % 4;
            const int c = col + j / 4 * (BN / 2) + j % 4;
            if (r < M && c < N) {
                C[r * N + c] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_vectorized, M, N, K) {
    launch->block = dim3(BN / TN, BM / TM);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
