// A loop without an access ends by the clock, at its line.
// launch: 8x8x8
// options: cpu_ms=50
// expect: time_limit @here
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    // On one line: which of several lines the clock's looks meet depends on the machine's load.
    while (K > 0) { K += 2; K |= 1; }  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
