// A LAUNCH_CONFIG that does not end and touches nothing.
// launch: 8x8x8
// expect: time_limit @here
// end: no configuration
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K) {}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    while (K > 0) { K |= 1; }  //@here
    launch->block = dim3(32);
}
