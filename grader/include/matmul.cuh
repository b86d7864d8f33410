// What a kernel file of this course is made of: one kernel, and below it the launch configuration
// it wants.
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

#if !defined(__CUDACC__) && !defined(__CUDACC_RTC__) && !defined(__CUDA__)
#error this file is compiled by the grader, by nvcc, or read by an editor set up with .clangd
#endif

// How many blocks of how many threads.  All bytes are 0 at the start of LAUNCH_CONFIG.
struct launch_config {
    dim3 grid;                        // blocks in x, y, z
    dim3 block;                       // threads of a block in x, y, z
    unsigned long long shared_bytes;  // size of `extern __shared__` memory; 0 if there is none
};

// The least number of parts of size `part` that hold `whole`: ceil_div(33, 16) is 3.
__host__ __device__ constexpr inline int ceil_div(int whole, int part)
{
    return (whole + part - 1) / part;
}

// Opens the function that fills in *launch.  It runs on the device, as one thread, so it may use
// what a kernel may.
#define LAUNCH_CONFIG(kernel, M, N, K)                                                             \
    extern "C" __global__ void kernel##_launch_config(                                             \
        [[maybe_unused]] struct launch_config *launch, [[maybe_unused]] int M,                     \
        [[maybe_unused]] int N, [[maybe_unused]] int K)

// The grader names the kernel it wants, such as matmul_tiled; an editor does not.
#ifdef KERNEL
#ifdef __TILEGRADE_EMU__  // without the mark, so that a kernel that lacks it shows
extern "C" void KERNEL(const float *A, const float *B, float *C, int M, int N, int K);
#else
extern "C" __global__ void KERNEL(const float *A, const float *B, float *C, int M, int N, int K);
#endif
#endif

#endif
