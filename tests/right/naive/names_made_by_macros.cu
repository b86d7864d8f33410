// expect: pass  (macros paste names together and hold pragmas)
#include "matmul.cuh"

#define NAME(letter, number) letter##_##number
#define PART(letter, number) const float NAME(letter, number)
#define UNROLLED _Pragma("unroll 4")

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && col < N) {
        float acc = 0.0f;
        UNROLLED
        for (int k = 0; k < K; ++k) {
            PART(a, 0) = A[row * K + k];
            PART(b, 0) = B[k * N + col];
            acc += NAME(a, 0) * NAME(b, 0);
        }
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K) {
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(N, 16), ceil_div(M, 16));
}
