// A row of ldmatrix starts at a multiple of 16 bytes: rows of 9 elements do not.
// launch: 8x8x8
// expect: misaligned @here
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) unsigned short rows[32][9];
    unsigned d[4];
    int i = threadIdx.x;
    for (int column = 0; column < 9; column++) {
        rows[i][column] = 0;
    }
    __syncwarp();
    ptx::ldmatrix_x4(d, rows[i]);  //@here
    C[i] = d[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
