// A wait does not include copies that are in no group yet.
// launch: 8x8x8
// expect: race rows @copy @load
#include "matmul.cuh"
#include "ptx.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ __align__(16) unsigned short rows[32][8];
    unsigned d[4];
    int i = threadIdx.x;

    ptx::cp_async_cg_16(rows[i], &A[i % 16 * 4]);  //@copy
    ptx::cp_async_wait_group<0>();
    __syncwarp();
    ptx::ldmatrix_x4(d, rows[i]);  //@load
    C[i] = d[0];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
