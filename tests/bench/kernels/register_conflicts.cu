// Register tiling with a transposed slice of B.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Change   Bs is stored by column, so that the threads of a warp conflict in one bank.
// Limit    16 wavefronts of shared memory for each request of Bs.
#include "matmul.cuh"

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4
#define THREADS ((BM / TM) * (BN / TN))

__global__ void matmul_register_conflicts(const float *A, const float *B, float *C, int M, int N,
                                          int K) {
    __shared__ __align__(16) float As[BM][BK];
    __shared__ __align__(16) float Bs[BN][BK];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int id = ty * (BN / TN) + tx;
    const int row = blockIdx.y * BM + ty * TM;
    const int col = blockIdx.x * BN + tx * TN;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = id; i < BM * BK; i += THREADS) {
            const int a_row = blockIdx.y * BM + i / BK;
            const int a_col = k0 + i % BK;
            As[i / BK][i % BK] = a_row < M && a_col < K ? A[a_row * K + a_col] : 0.0f;
        }
        for (int i = id; i < BK * BN; i += THREADS) {
            const int b_row = k0 + i / BN;
            const int b_col = blockIdx.x * BN + i % BN;
            Bs[i % BN][i / BN] = b_row < K && b_col < N ? B[b_row * N + b_col] : 0.0f;
        }
        __syncthreads();  // the slices are full before anyone reads them

        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) {
                a[i] = As[ty * TM + i][k];
            }
            for (int j = 0; j < TN; ++j) {
                b[j] = Bs[tx * TN + j][k];
            }
            for (int i = 0; i < TM; ++i) {
                for (int j = 0; j < TN; ++j) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    for (int i = 0; i < TM; ++i) {
        for (int j = 0; j < TN; ++j) {
            if (row + i < M && col + j < N) {
                C[(row + i) * N + col + j] = acc[i][j];
            }
        }
    }
}

LAUNCH_CONFIG(matmul_register_conflicts, M, N, K) {
    launch->block = dim3(BN / TN, BM / TM);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
