// Vectorized matrix multiplication: one thread computes 8 x 8 elements of C.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of 16 x 16 threads; a block computes 128 x 128 elements of C.
// Change   As is transposed, so that 4 values of a column of A are side by side: all loads from
//          shared memory are float4 loads.  8 x 8 results per thread, as four groups of 4 x 4.
//          The step is long: the copy transposes A, and rows and columns come in two halves.
// Limit    a warp reads a long, flat part of C's block, and nothing loads while it multiplies.
// Source   V. Volkov and J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC 2008.
#include "matmul.cuh"

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
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty * 4;
    const int col = blockIdx.x * BN + tx * 4;

    // For copying: the first of my four elements of A and of B in the slices.
    const int id = ty * (BN / TN) + tx;
    const int a_row = id / (BK / 4);
    const int a_col = id % (BK / 4) * 4;
    const int b_row = id / (BN / 4);
    const int b_col = id % (BN / 4) * 4;

    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        // TODO 1 (about 6 lines): copy four elements of a row of A into a column of As, and four of B into Bs
        __syncthreads();  // the slices are full before anyone reads them

        // TODO 2 (about 10 lines): for each k: two float4 loads from As, two from Bs, and 64 multiply-adds
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    // TODO 3 (about 6 lines): store my elements that are inside C, each to its own row and column
}

LAUNCH_CONFIG(matmul_vectorized, M, N, K) {
    launch->block = dim3(BN / TN, BM / TM);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
