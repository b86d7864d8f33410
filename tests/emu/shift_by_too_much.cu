// A shift by 32 and more leaves 0 on a GPU, and something else on other machines.
// launch: 8x8x8
// expect: crash shift by too much @shift
// end: stopped
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const unsigned int one = A[0] < 1000.0f;
    const unsigned int none = one - 1, by = threadIdx.x + K + 24;  // 32
    C[0] = one << (by & 31) | 0xffffffffu >> (by & 31);
    C[1] = (int)(1ull << by);
    C[2] = none << by;
    C[3] = one << by;  //@shift
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
