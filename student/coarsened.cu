// Coarsened matrix multiplication: one thread computes four elements of a column of C.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of 16 x 16 threads; a block computes 64 x 16 elements of C.
// Change   a value read from Bs is kept in a register and used for four results.
// Limit    every value of As that is read still serves a single multiply-add.
// Source   PMPP, chapter "Performance considerations", section "Thread coarsening".
#include "matmul.cuh"

#define TILE 16         // rows and columns of threads, columns of C in a block, depth of a slice
#define TM 4            // results of a thread, TILE rows apart
#define BM (TM * TILE)  // rows of C in a block

__global__ void matmul_coarsened(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float As[BM][TILE];
    __shared__ float Bs[TILE][TILE];

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * BM + ty;  // of my first result; the next one is TILE rows below
    const int col = blockIdx.x * TILE + tx;

    float acc[TM] = {};
    for (int t = 0; t < ceil_div(K, TILE); ++t) {
        // TODO 1 (about 6 lines): copy four elements of A and one of B into the slices, else 0
        __syncthreads();  // the slices are full before anyone reads them

        // TODO 2 (about 4 lines): for each k: read one value of Bs, and use it for four multiply-adds
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    // TODO 3 (about 3 lines): store those of my four sums whose element is inside C
}

LAUNCH_CONFIG(matmul_coarsened, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, BM));
}
