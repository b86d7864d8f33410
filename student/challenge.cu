// Any kernel, any launch: a kernel for most sizes, and K in parts where C has few tiles.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   blocks of 16 x 16 threads, 64 x 64 elements of C a block; where that makes few blocks,
//          PARTS times as many, each for one part of K, and a second launch that adds the parts.
// Change   the number of blocks follows from the size, not from C alone.
// Limit    that of the register-tiled kernel, at sizes that fill the card.
// Source   the kernel of the step before; splitting K as in CUTLASS, "Efficient GEMM in CUDA".
#include "matmul.cuh"

#define BM    64   // rows of C in a block
#define BN    64   // columns of C in a block
#define BK    16   // depth of a slice
#define TM    4    // rows of C in a thread
#define TN    4    // columns of C in a thread
#define PARTS 16   // of K
#define FEW   128  // tiles of C: with fewer, most of a large card is idle
#define LONG  512  // terms: with fewer, adding the parts costs more than it brings

// TODO 1 (about 61 lines): your kernels, as many as you like, and what they share

// The kernel for all sizes for which LAUNCH_CONFIG names no other.
__global__ void matmul_challenge(const float *A, const float *B, float *C, int M, int N, int K) {
    // TODO 2 (about 1 line): the product, for all other sizes
}

LAUNCH_CONFIG(matmul_challenge, M, N, K) {
    const dim3 threads(BN / TN, BM / TM);
    const dim3 tiles(ceil_div(N, BN), ceil_div(M, BM));
    // TODO 3 (about 5 lines): which kernels for which sizes
    launch->block = threads;
    launch->grid = tiles;
}
