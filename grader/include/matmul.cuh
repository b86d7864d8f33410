// A kernel file of a product contains one kernel and, below it, its launch configuration.
//
//     #include "matmul.cuh"
//
//     __global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
//     {
//         ...
//     }
//
//     LAUNCH_CONFIG(matmul_naive, M, N, K)
//     {
//         launch->block = dim3(16, 16);
//         launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
//     }
//
// Shapes  A [M][K], B [K][N], C [M][N], row-major, no padding between rows.
//         C holds no useful value on entry.
#ifndef MATMUL_CUH
#define MATMUL_CUH

#ifndef KERNEL_PARAMETERS
#define KERNEL_PARAMETERS const float *A, const float *B, float *C, int M, int N, int K
#define LAUNCHED_KERNEL_TEXT                                                                       \
    "a kernel for LAUNCH has the parameters (const float *A, const float *B, "                     \
    "float *C, int M, int N, int K), and then float *workspace if it uses it (and then "           \
    "tensor_maps maps)"
#define LAUNCH_CONFIG(kernel, M, N, K)                                                             \
    extern "C" __global__ void kernel##_launch_config(                                             \
        [[maybe_unused]] struct launch_config *launch, [[maybe_unused]] int M,                     \
        [[maybe_unused]] int N, [[maybe_unused]] int K)
#endif

#include "kernel.cuh"

#endif
