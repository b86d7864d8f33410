// expect: race 67 81  (the barrier comes before the next slice is stored)
#include "matmul.cuh"

#define BM 128  // rows of C in a block
#define BN 128  // columns of C in a block
#define BK 8    // depth of a slice
#define WM 32   // rows of C in a warp
#define WN 64   // columns of C in a warp
#define TM 8    // rows of C in a thread: 4, and 4 more half a warp's part further down
#define TN 8    // columns of C in a thread: 4, and 4 more half a warp's part further right
#define PAD 4   // unused columns of As, so that the stores of a warp use all banks

#define THREADS (BM / WM * (BN / WN) * 32)

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

__global__ void __launch_bounds__(THREADS)
    matmul_two_buffers(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float As[2][BK][BM + PAD];  // transposed, as before; two of each
    __shared__ __align__(16) float Bs[2][BK][BN];

    // For computing: row and column of my first element in the block's part of C.
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    const int m = warp / (BN / WN) * WM + lane / (WN / TN) * 4;
    const int n = warp % (BN / WN) * WN + lane % (WN / TN) * 4;

    // For copying: the first of my four elements of A and of B in the slices.
    const int a_row = threadIdx.x / (BK / 4);
    const int a_col = threadIdx.x % (BK / 4) * 4;
    const int b_row = threadIdx.x / (BN / 4);
    const int b_col = threadIdx.x % (BN / 4) * 4;

    float acc[TM][TN] = {};
    float4 a_next = load_four(A, M, K, blockIdx.y * BM + a_row, a_col);
    float4 b_next = load_four(B, K, N, b_row, blockIdx.x * BN + b_col);
    As[0][a_col + 0][a_row] = a_next.x;
    As[0][a_col + 1][a_row] = a_next.y;
    As[0][a_col + 2][a_row] = a_next.z;
    As[0][a_col + 3][a_row] = a_next.w;
    *(float4 *)&Bs[0][b_row][b_col] = b_next;
    __syncthreads();  // the first slice is full
    for (int slice = 0; slice < ceil_div(K, BK); ++slice) {
        const int k0 = (slice + 1) * BK;  // where the next slice starts
        int now = 0;
        now = slice % 2;
        if (k0 < K) {
            a_next = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);
            b_next = load_four(B, K, N, k0 + b_row, blockIdx.x * BN + b_col);
        }

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            *(float4 *)&a[0] = *(const float4 *)&As[now][k][m];
            *(float4 *)&a[4] = *(const float4 *)&As[now][k][m + WM / 2];
            *(float4 *)&b[0] = *(const float4 *)&Bs[now][k][n];
            *(float4 *)&b[4] = *(const float4 *)&Bs[now][k][n + WN / 2];
            for (int j = 0; j < TN; ++j) {
                for (int step = 0; step < TM; ++step) {
                    // There and back: when j changes, the value of a is already in a register.
                    const int i = j % 2 == 0 ? step : TM - 1 - step;
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();  // the next slice is full, and everyone has read this one
        if (k0 < K) {
            As[1 - now][a_col + 0][a_row] = a_next.x;
            As[1 - now][a_col + 1][a_row] = a_next.y;
            As[1 - now][a_col + 2][a_row] = a_next.z;
            As[1 - now][a_col + 3][a_row] = a_next.w;
            *(float4 *)&Bs[1 - now][b_row][b_col] = b_next;
        }
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
