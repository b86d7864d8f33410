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
        //@cut 1 copy four elements of A and one of B into the slices, else 0
        const int a_col = t * TILE + tx;
        const int b_row = t * TILE + ty;
        for (int i = 0; i < TM; ++i) {
            const int a_row = row + i * TILE;
            As[ty + i * TILE][tx] = a_row < M && a_col < K ? A[a_row * K + a_col] : 0.0f;
        }
        Bs[ty][tx] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        //@end
        __syncthreads();  // the slices are full before anyone reads them

        //@cut 2 for each k: read one value of Bs, and use it for four multiply-adds
        for (int k = 0; k < TILE; ++k) {
            const float b = Bs[k][tx];
            for (int i = 0; i < TM; ++i) {
                acc[i] += As[ty + i * TILE][k] * b;
            }
        }
        //@end
        __syncthreads();  // everyone has read the slices before anyone refills them
    }

    //@cut 3 store those of my four sums whose element is inside C
    for (int i = 0; i < TM; ++i) {
        if (row + i * TILE < M && col < N) {
            C[(row + i * TILE) * N + col] = acc[i];
        }
    }
    //@end
}

LAUNCH_CONFIG(matmul_coarsened, M, N, K) {
    launch->block = dim3(TILE, TILE);
    launch->grid = dim3(ceil_div(N, TILE), ceil_div(M, BM));
}
