// expect: pass  (blocks in groups of eight rows share more of A and B; the last may have fewer)
#include "matmul.cuh"

#define GROUP 8
#define BM 128  // rows of C in a block
#define BN 128  // columns of C in a block
#define BK 8    // depth of a slice
#define TM 8    // rows of C in a thread: 4, and 4 half a block further down
#define TN 8    // columns of C in a thread: 4, and 4 half a block further right
#define PAD 4   // unused columns of As, so that the stores of a warp use all banks

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

__global__ void matmul_vectorized(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float As[BK][BM + PAD];  // transposed: a row of As is a column of A
    __shared__ __align__(16) float Bs[BK][BN];

    // For computing: my elements of C start at row and half a block below, at col and half a block
    // to the right.
    const int rows = ceil_div(M, BM);
    const int cols = ceil_div(N, BN);
    const int group = min(rows, GROUP);
    const int first = blockIdx.x / (group * cols) * group;
    const int left = min(group, rows - first);  // rows of this group
    const int tile_row = first + blockIdx.x % (group * cols) % left;
    const int tile_col = blockIdx.x % (group * cols) / left;
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = tile_row * BM + ty * 4;
    const int col = tile_col * BN + tx * 4;

    // For copying: the first of my four elements of A and of B in the slices.
    const int id = ty * (BN / TN) + tx;
    const int a_row = id / (BK / 4);
    const int a_col = id % (BK / 4) * 4;
    const int b_row = id / (BN / 4);
    const int b_col = id % (BN / 4) * 4;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        const float4 four = load_four(A, M, K, tile_row * BM + a_row, k0 + a_col);
        As[a_col + 0][a_row] = four.x;
        As[a_col + 1][a_row] = four.y;
        As[a_col + 2][a_row] = four.z;
        As[a_col + 3][a_row] = four.w;
        *(float4 *)&Bs[b_row][b_col] = load_four(B, K, N, k0 + b_row, tile_col * BN + b_col);
        __syncthreads();  // the slices are full before anyone reads them
#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            *(float4 *)&a[0] = *(const float4 *)&As[k][ty * 4];
            *(float4 *)&a[4] = *(const float4 *)&As[k][BM / 2 + ty * 4];
            *(float4 *)&b[0] = *(const float4 *)&Bs[k][tx * 4];
            *(float4 *)&b[4] = *(const float4 *)&Bs[k][BN / 2 + tx * 4];
            for (int j = 0; j < TN; ++j) {
                for (int i = 0; i < TM; ++i) {
                    acc[i][j] += a[i] * b[j];
                }
            }
        }
        __syncthreads();  // everyone has read the slices before anyone refills them
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
    launch->grid = dim3(ceil_div(N, BN) * ceil_div(M, BM));
}
