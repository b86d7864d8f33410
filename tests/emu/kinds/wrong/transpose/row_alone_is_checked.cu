// expect: out_of_bounds 11  (the column is not checked)
// launch: 37x50x50
// result: [A[r * K + c] for c in range(K) for r in range(M)]
#include "matmul.cuh"

__global__ void transpose(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M) {
        C[col * M + row] = A[row * K + col];
    }
}

LAUNCH_CONFIG(transpose, M, N, K)
{
    launch->block = dim3(16, 16);
    launch->grid = dim3(ceil_div(K, 16), ceil_div(M, 16));
}
