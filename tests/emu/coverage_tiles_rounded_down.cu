// A number of tiles that is rounded down: the last column of A and the last row of B are not read.
// launch: 8x8x9
// gap: A missing=8 box=0,8-7,8 rows=0:0-0 columns=1:8-8
// gap: B missing=8 box=8,0-8,7 rows=1:8-8 columns=0:0-0
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    float acc = 0.0f;
    for (int k = 0; k < K / 4 * 4; k++) {
        acc += A[threadIdx.y * K + k] * B[k * N + threadIdx.x];
    }
    C[threadIdx.y * N + threadIdx.x] = acc;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8, 8);
    launch->grid = dim3(1);
}
