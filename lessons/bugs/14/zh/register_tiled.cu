#include "matmul.cuh"

#define BM 64  // 一个线程块负责的 C 的行数
#define BN 64  // 一个线程块负责的 C 的列数
#define BK 16  // 切片的深度
#define TM 4   // 一个线程负责的 C 的行数
#define TN 4   // 一个线程负责的 C 的列数

// 读取 matrix[row][col .. col + 3]；矩阵 [rows][cols] 中没有的元素取 0。
static __device__ float4 load_four(const float *matrix, int rows, int cols, int row, int col) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows && col + 3 < cols) {
        four = *(const float4 *)&matrix[row * cols + col];  // 四个元素都在这一行之内
    } else if (row < rows) {
        four.x = col + 0 < cols ? matrix[row * cols + col + 0] : 0.0f;
        four.y = col + 1 < cols ? matrix[row * cols + col + 1] : 0.0f;
        four.z = col + 2 < cols ? matrix[row * cols + col + 2] : 0.0f;
        four.w = col + 3 < cols ? matrix[row * cols + col + 3] : 0.0f;
    }
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
        const int id = ty * (BN / TN) + tx;
        const int a_row = id / (BK / 4);  // 4 个线程填 As 的一行
        const int a_col = id % (BK / 4) * 4;
        const int b_row = id / (BN / 4);  // 16 个线程填 Bs 的一行
        const int b_col = id % (BN / 4) * 4;
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
