// expect: misaligned 11  (rows of 50 elements: every second one is not aligned to 16 bytes)
// launch: 36x50x50
// result: [A[r * K + c] for c in range(K) for r in range(M)]
#include "matmul.cuh"

__global__ void transpose(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.x;
    const int col = 4 * threadIdx.x;
    if (col + 3 < K) {
        const float4 four = *(const float4 *)&A[row * K + col];
        C[col * M + row] = four.x;
        C[(col + 1) * M + row] = four.y;
        C[(col + 2) * M + row] = four.z;
        C[(col + 3) * M + row] = four.w;
    }
}

LAUNCH_CONFIG(transpose, M, N, K)
{
    launch->block = dim3(ceil_div(K, 4));
    launch->grid = dim3(M);
}
