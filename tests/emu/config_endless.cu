// A LAUNCH_CONFIG that does not end.
// launch: 8x8x8
// expect: time_limit @here
// end: no configuration
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K) {}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    for (;;) {
        launch->grid.x += 1;  //@here
    }
}
