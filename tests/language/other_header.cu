// expect: not_allowed
// row: other headers: `<vector>`, your own files
#include "matmul.cuh"
#include <vector>  //@here

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = 1.0f;
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
