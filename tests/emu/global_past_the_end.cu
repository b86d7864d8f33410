// A read past B is let through, and the launch goes on to its end.
// launch: 8x8x8
// expect: out_of_bounds B @here
// end: finished
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = B[K * N + threadIdx.x];  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
