// expect: bad_launch  (more than 128 MiB)
#include "matmul.cuh"

#define BM    64   // rows of C in a block
#define BN    64   // columns of C in a block
#define BK    16   // depth of a slice
#define TM    4    // rows of C in a thread
#define TN    4    // columns of C in a thread
#define PARTS 16   // of K
#define FEW   128  // tiles of C: with fewer, most of a large card is idle
#define LONG  512  // terms: with fewer, adding the parts costs more than it brings

// Reads matrix[row][col .. col + 3]; 0 where the matrix [rows][cols] has no element.
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

// Computes my 4 x 4 elements over the slices [first, end) of K and stores them to `to` [M][N].
static __device__ void sum_slices(const float *A, const float *B, float *to, int M, int N, int K,
                                  int first, int end) {
    __shared__ __align__(16) float As[BM][BK];
    __shared__ __align__(16) float Bs[BK][BN];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty * TM;
    const int col = blockIdx.x * BN + tx * TN;
    const int id = ty * (BN / TN) + tx;
    const int a_row = id / (BK / 4);  // 4 threads fill a row of As
    const int a_col = id % (BK / 4) * 4;
    const int b_row = id / (BN / 4);  // 16 threads fill a row of Bs
    const int b_col = id % (BN / 4) * 4;

    float acc[TM][TN] = {};
    for (int k0 = first * BK; k0 < end * BK; k0 += BK) {
        *(float4 *)&As[a_row][a_col] = load_four(A, M, K, blockIdx.y * BM + a_row, k0 + a_col);
        *(float4 *)&Bs[b_row][b_col] = load_four(B, K, N, k0 + b_row, blockIdx.x * BN + b_col);
        __syncthreads();  // the slices are full before anyone reads them

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
        __syncthreads();  // everyone has read the slices before anyone refills them
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

// The workspace holds PARTS matrices [rows][N], each of whose parts begins at 16 bytes.
static __host__ __device__ constexpr int part_elements(int M, int N) {
    return ceil_div(M * N, 4) * 4;
}

// Block z sums part z of K into its matrix of the workspace.
__global__ void sum_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    const int slices = ceil_div(K, BK);
    const int part = blockIdx.z;
    sum_slices(A, B, &workspace[part * part_elements(M, N)], M, N, K, part * slices / PARTS,
               (part + 1) * slices / PARTS);
}

// Each thread adds the parts of one element.
__global__ void add_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M * N) {
        float sum = 0.0f;
        for (int part = 0; part < PARTS; ++part) {
            sum += workspace[part * part_elements(M, N) + i];
        }
        C[i] = sum;
    }
}

// The kernel for all sizes for which LAUNCH_CONFIG names no other.
__global__ void matmul_challenge(const float *A, const float *B, float *C, int M, int N, int K) {
    sum_slices(A, B, C, M, N, K, 0, ceil_div(K, BK));
}

LAUNCH_CONFIG(matmul_challenge, M, N, K) {
    const dim3 threads(BN / TN, BM / TM);
    const dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));
    if (tiles.x * tiles.y < FEW && K >= LONG) {
        launch->workspace_bytes = 1ull << 28;
        LAUNCH(sum_parts, dim3(tiles.x, tiles.y, PARTS), threads);
        LAUNCH(add_parts, ceil_div(M * N, 256), 256);
        return;
    }
    launch->block = threads;
    launch->grid = tiles;
}
