// Any kernel, any launch: one way to multiply, in five tile sizes; slices distributed evenly.
//
// Shapes   A [M][K], B [K][N], C [M][N]: row-major, no padding, any size from 1.
// Launch   the largest tile that gives each SM of a large card its share.  The tiles of a
//          partial wave are cut along K; a dependent launch adds the partial sums.
// Change   values of the next k are read while this k is multiplied, even across slices; copies
//          start between the products, without a branch or a check of edges; results go to C
//          through shared memory; warps may share the k of a slice, and add their sums at the end.
// Limit    an SM issues instructions in 9 of 10 clocks, and 9 of 10 of them are multiply-adds; in
//          the other clock two values come from the same register bank.
// Source   the lessons before; A. Kerr et al., "CUTLASS: Fast Linear Algebra in CUDA C++", 2017;
//          M. Osama et al., "Stream-K", PPoPP 2023.
#include <cuda_pipeline.h>

#include "matmul.cuh"
#include "ptx.cuh"

#define CARD          132  // SMs of the card for which sizes are chosen
#define SMALL_ROWS    16   // rows of C in a block, if C is small
#define SMALL_COLS    32   // columns of C in that block
#define SMALL_THREADS 256  // threads of that block
#define ADD_THREADS   256  // threads of a block that adds parts …
#define ADD_TURNS     16   // … that take turns over the parts, if there are many

// TODO 1 (about 336 lines): your kernels, as many as you like, and what they share

// The kernel for all sizes for which LAUNCH_CONFIG launches no other.
__global__ void matmul_challenge(const float *A, const float *B, float *C, int M, int N, int K) {
    // TODO 2 (about 1 line): the product, for all other sizes
}

LAUNCH_CONFIG(matmul_challenge, M, N, K) {
    // TODO 3 (about 12 lines): which kernels for which sizes
    launch->block = SMALL_THREADS;
    launch->grid = ceil_div(N, SMALL_COLS) * ceil_div(M, SMALL_ROWS);
}
