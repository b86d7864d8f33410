// A grid that is rounded down leaves the last rows and columns of C alone, and what they need.
// launch: 10x9x3
// gap: A missing=6 box=8,0-9,2 rows=2:8-9 columns=0:0-0
// gap: B missing=3 box=0,8-2,8 rows=0:0-0 columns=1:8-8
// gap: C missing=30 box=0,0-9,8 rows=2:8-9 columns=1:8-8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 4 + threadIdx.y;
    const int col = blockIdx.x * 4 + threadIdx.x;
    float acc = 0.0f;
    for (int k = 0; k < K; k++) {
        acc += A[row * K + k] * B[k * N + col];
    }
    if (row != 4 || col < 4) {
        C[row * N + col] = acc;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(4, 4);
    launch->grid = dim3(N / 4, M / 4);
}
