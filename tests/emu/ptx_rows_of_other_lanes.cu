// A __syncwarp() is missing between stores of one lane and ldmatrix of another.
// launch: 8x8x8
// expect: race rows @store @load
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) unsigned short rows[32][8];
    unsigned d[4];
    int i = threadIdx.x;

    for (int column = 0; column < 8; column++) {
        rows[i][column] = 0;  //@store
    }
    ptx::ldmatrix_x4(d, rows[31 - i]);  //@load
    C[i] = d[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
