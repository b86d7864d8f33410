// A LAUNCH_CONFIG that fills in nothing: all is 0.
// launch: 8x8x8
// end: no configuration
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K) {}

LAUNCH_CONFIG(matmul_test, M, N, K) {}
