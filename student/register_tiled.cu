// Register-tiled matrix multiplication: one thread computes 4 x 4 elements of C.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of 16 x 16 threads; a block computes 64 x 64 elements of C.
// Change   a value read from shared memory is used 4 times from a register; float4 loads.
//          The step is long: loading and computing need two maps from thread to element.
// Limit    4 x 4 results for each thread are few, and nothing loads while it multiplies.
// Source   V. Volkov, "Better Performance at Lower Occupancy", GTC 2010.
#include "matmul.cuh"

#define BM 64  // rows of C in a block
#define BN 64  // columns of C in a block
#define BK 16  // depth of a slice
#define TM 4   // rows of C in a thread
#define TN 4   // columns of C in a thread

// Reads matrix[row][col .. col + 3]; 0 if the matrix [rows][cols] has no element there.
static __device__ float4 load_four(const float *matrix, int rows, int cols, int row, int col) {
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    // TODO 1 (about 7 lines): fill four: one float4 load if rows are aligned, else single loads
    return four;
}

__global__ void matmul_register_tiled(const float *A, const float *B, float *C, int M, int N,
                                      int K) {
    __shared__ __align__(16) float As[BM][BK];
    __shared__ __align__(16) float Bs[BK][BN];

    // For computing: my 4 x 4 elements of C start at row, col.
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty * TM;
    const int col = blockIdx.x * BN + tx * TN;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // TODO 2 (about 7 lines): copy four elements of A and four of B into the slices
        __syncthreads();  // the slices are full before anyone reads them

        // TODO 3 (about 9 lines): for each k: 4 values of A, 4 of B, 16 multiply-adds
        __syncthreads();  // everyone has read the slices before anyone refills them
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
