// Widths and precisions that fit a line, and a precision that only cuts a text.
// launch: 8x8x8
// prints: [    7] [2.50] [te] [text] 100% [-3 ]
#include <cstdio>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    printf("[%*d] [%.*f] [%.2s] [%.99999s] 100%% [%*lld]\n", 5, 7, 2, 2.5,
            "text", "text", -3, -3ll);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
