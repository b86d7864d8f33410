// The launch that adds the parts begins while they are still summed, and waits.
#include "matmul.cuh"
#include "ptx.cuh"

#define BM 64     // rows of C in a block
#define BN 64     // columns of C in a block
#define BK 16     // depth of a slice
#define TM 4      // rows of C in a thread
#define TN 4      // columns of C in a thread
#define PARTS 16  // of K, if C has few tiles
#define FEW 64    // tiles of C: with fewer, most SMs of a large card are idle

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

// Sums the slices of K from `first` on, up to `end`, which is not one of them, into `to` [M][N].
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

// One part, straight into C: for a C of many tiles.
__global__ void matmul_split_k(const float *A, const float *B, float *C, int M, int N, int K) {
    sum_slices(A, B, C, M, N, K, 0, ceil_div(K, BK));
}

// Block (x, y, z) sums part z of tile (x, y).
__global__ void sum_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    const int slices = ceil_div(K, BK);
    const int part = blockIdx.z;
    const int first = part * slices / PARTS;
    const int end = (part + 1) * slices / PARTS;  // the first slice of the next part
    ptx::griddepcontrol_launch_dependents();
    sum_slices(A, B, &workspace[part * M * N], M, N, K, first, end);
}

// Each thread adds the PARTS sums of one element of C.
__global__ void add_parts(const float *A, const float *B, float *C, int M, int N, int K,
                          float *workspace) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    ptx::griddepcontrol_wait();  // until all parts are stored
    if (i < M * N) {
        float sum = 0.0f;
        for (int part = 0; part < PARTS; ++part) {
            sum += workspace[part * M * N + i];
        }
        C[i] = sum;
    }
}

LAUNCH_CONFIG(matmul_split_k, M, N, K) {
    const dim3 threads(BN / TN, BM / TM);
    const dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));
    if (tiles.x * tiles.y < FEW) {
        launch->workspace_bytes = sizeof(float) * PARTS * M * N;
        LAUNCH(sum_parts, dim3(tiles.x, tiles.y, PARTS), threads);
        LAUNCH_DEPENDENT(add_parts, ceil_div(M * N, 256), 256);
        return;
    }
    launch->block = threads;
    launch->grid = tiles;
}
