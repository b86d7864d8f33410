// A store before C.
// launch: 8x8x8
// expect: out_of_bounds C @here
// end: finished
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[(int)threadIdx.x - 1] = 1.0f;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
