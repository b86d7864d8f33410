// expect: pass  (blocks take turns; results lie where the slices were)
#include "matmul.cuh"

#define BM 64  // rows of C in a block
#define BN 64  // columns of C in a block
#define BK 16  // depth of a slice
#define TM 4   // rows of C in a thread
#define TN 4   // columns of C in a thread

// Reads matrix[row][col .. col + 3]; 0 if the matrix [rows][cols] has no element there.
static __device__ float4 load_four(const float *matrix, int rows, int cols, int row, int col) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (row < rows && cols % 4 == 0 && col < cols) {
        four = *(const float4 *)&matrix[row * cols + col];  // every row starts at 16 bytes
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
    __shared__ __align__(16) float pool[BM * BK + BK * BN];
    float *As = pool;
    float *Bs = pool + BM * BK;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int id = ty * 16 + tx;
    const int across = ceil_div(N, BN);
    const int all = across * ceil_div(M, BM);
    for (int tile = blockIdx.x; tile < all; tile += gridDim.x) {
        const int brow = tile / across * BM;
        const int bcol = tile % across * BN;
        float acc[TM][TN] = {};
        for (int k0 = 0; k0 < K; k0 += BK) {
            const int a_row = id / (BK / 4);
            const int a_col = id % (BK / 4) * 4;
            const int b_row = id / (BN / 4);
            const int b_col = id % (BN / 4) * 4;
            *(float4 *)&As[a_row * BK + a_col] = load_four(A, M, K, brow + a_row, k0 + a_col);
            *(float4 *)&Bs[b_row * BN + b_col] = load_four(B, K, N, k0 + b_row, bcol + b_col);
            __syncthreads();
            for (int k = 0; k < BK; ++k) {
                for (int i = 0; i < TM; ++i) {
                    for (int j = 0; j < TN; ++j) {
                        acc[i][j] += As[(ty * TM + i) * BK + k] * Bs[k * BN + tx * TN + j];
                    }
                }
            }
            __syncthreads();
        }
        // results of 32 rows at a time
        for (int half = 0; half < 2; ++half) {
            if (ty / 8 == half) {
                for (int i = 0; i < TM; ++i) {
                    for (int j = 0; j < TN; ++j) {
                        pool[(ty % 8 * TM + i) * BN + tx * TN + j] = acc[i][j];
                    }
                }
            }
            __syncthreads();
            for (int at = id; at < 32 * BN; at += 256) {
                const int r = brow + half * 32 + at / BN;
                const int c = bcol + at % BN;
                if (r < M && c < N) {
                    C[r * N + c] = pool[at];
                }
            }
            __syncthreads();
        }
    }
}

LAUNCH_CONFIG(matmul_register_tiled, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(min(264, ceil_div(N, BN) * ceil_div(M, BM)));
}
