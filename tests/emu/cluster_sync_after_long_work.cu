// A thread comes last to the barrier, after work of any length: what it stored before is there,
// whenever its block has let the other one run.
// launch: 8x16x64
// end: finished
#include <cooperative_groups.h>

#include "matmul.cuh"

__global__ void __cluster_dims__(2, 1, 1)
    matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sum;
    int cluster = blockIdx.x / 2;
    if (threadIdx.x == 0) {
        sum = 0.0f;
        for (int i = 0; blockIdx.x % 2 == 1 && i < cluster * 1366 + 50; i++) {
            sum += A[i % 64];
        }
    }
    cooperative_groups::this_cluster().sync();
    if (threadIdx.x == 1) {
        C[blockIdx.x] = sum;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(80);
}
