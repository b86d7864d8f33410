// Warp-tiled matrix multiplication: the threads of a warp compute a compact part of C.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of 256 threads; a block computes 128 x 128 elements of C, a warp 32 x 64.
// Change   4 x 8 threads of a warp are side by side and read fewer different words; the next slice
//          is loaded into registers while this one is multiplied.
//          The step is long: a thread's place comes from its warp and its lane.
// Limit    values loaded ahead take registers, and two barriers per slice stop all warps.
// Source   A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", NVIDIA 2017.
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
    matmul_warp_tiled(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ __align__(16) float As[BK][BM + PAD];  // transposed: a row of As is a column of A
    __shared__ __align__(16) float Bs[BK][BN];

    // For computing: row and column of my first element in the block's part of C.
    const int warp = threadIdx.x / 32;
    const int lane = threadIdx.x % 32;
    int m = 0;
    int n = 0;
    // TODO 1 (about 2 lines): m and n: where the warp's part starts in the block, plus my place in that part

    // For copying: the first of my four elements of A and of B in the slices.
    const int a_row = threadIdx.x / (BK / 4);
    const int a_col = threadIdx.x % (BK / 4) * 4;
    const int b_row = threadIdx.x / (BN / 4);
    const int b_col = threadIdx.x % (BN / 4) * 4;

    float acc[TM][TN] = {};
    float4 a_next = load_four(A, M, K, blockIdx.y * BM + a_row, a_col);
    float4 b_next = load_four(B, K, N, b_row, blockIdx.x * BN + b_col);
    for (int k0 = 0; k0 < K; k0 += BK) {
        As[a_col + 0][a_row] = a_next.x;
        As[a_col + 1][a_row] = a_next.y;
        As[a_col + 2][a_row] = a_next.z;
        As[a_col + 3][a_row] = a_next.w;
        *(float4 *)&Bs[b_row][b_col] = b_next;
        __syncthreads();  // the slices are full before anyone reads them

        // TODO 2 (about 3 lines): start to load the next slice into a_next and b_next, if there is one

#pragma unroll
        for (int k = 0; k < BK; ++k) {
            __align__(16) float a[TM], b[TN];
            // TODO 3 (about 8 lines): read my 8 values of As and my 8 of Bs, with float4 loads; 64 multiply-adds
        }
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    // TODO 4 (about 6 lines): store those of my 64 sums whose element is inside C
}

LAUNCH_CONFIG(matmul_warp_tiled, M, N, K) {
    launch->block = dim3(THREADS);
    launch->grid = dim3(ceil_div(N, BN), ceil_div(M, BM));
}
