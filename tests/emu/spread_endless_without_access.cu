// A share that loops without an access ends by the clock.
// options: cpu_ms=50
// expect: time_limit @here
// end: stopped
// spread: no
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    // On one line: which of several lines the clock's looks meet depends on the machine's load.
    while (blockIdx.x == 3 && K > 0) { K += 2; K |= 1; }  //@here
    C[blockIdx.x * 8 + threadIdx.x] = A[threadIdx.x];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(4);
}
