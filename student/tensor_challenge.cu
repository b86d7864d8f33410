// Any kernel, any launch, on tensor cores: tiles by wgmma, K in parts, or WMMA, chosen by size.
//
// Shapes   A [M][K], B [K][N] of half, C [M][N] of float: row-major, no padding, any size from 1.
// Launch   tiles of 128 x 256 if there are many, or of 128 x 192 if that takes less time, else of
//          128 x 64; with few tiles, K in parts, that a last launch adds; small matrices in one
//          launch.  Rows of B that do not start at multiples of 16 bytes are copied to longer ones
//          first; every eighth row of A does.
// Change   several kernels, chosen by size, which overlap; descriptors are computed once; lanes
//          exchange sums, so that each stores 16 bytes, or a warp 32 elements of a row together;
//          half of a large tile is stored while the next one is multiplied.
// Limit    the tensor cores of an SM wait while its block stores the other half.
// Source   the lessons before; A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", 2017.
#define KERNEL_USES_HALF
#include <mma.h>

#include "kernel.cuh"
#include "ptx.cuh"

#define CARD          132  // SMs of the card for which sizes are chosen
#define SMALL_ROWS    32   // rows of C in a block, if the matrices are small
#define SMALL_COLS    64   // columns of C in that block
#define SMALL_THREADS 256  // threads of that block: 8 warps, of 16 x 16 elements each

// TODO 1 (about 379 lines): your kernels, as many as you like, and what they share

// The kernel for all sizes for which LAUNCH_CONFIG launches no other.
__global__ void tensor_challenge(const __half *A, const __half *B, float *C, int M, int N, int K) {
    // TODO 2 (about 33 lines): the product, for all other sizes
}

LAUNCH_CONFIG(tensor_challenge, M, N, K) {
    // TODO 3 (about 35 lines): which kernels for which sizes
    launch->block = SMALL_THREADS;
    launch->grid = dim3(ceil_div(N, SMALL_COLS), ceil_div(M, SMALL_ROWS));
}
