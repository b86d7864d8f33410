// expect: not_allowed
// row: `_Pragma("pack(…)")`: write `#pragma pack(…)`
#include "matmul.cuh"

_Pragma("pack(1)")  //@here
struct Odd {
    char letter;
    float number;
};
#pragma pack()

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[0] = sizeof(Odd);
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
