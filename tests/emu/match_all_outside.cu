// What __match_all_sync stores through a pointer is seen as a store.
// launch: 8x8x8
// expect: out_of_bounds @outside
// expect: race note @same @same
// expect: input_written @input
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int one, own[32];
    int all = 0;
    __match_all_sync(0xffffffffu, 1, &all);
    __match_all_sync(0xffffffffu, 1.0f, &own[threadIdx.x]);
    __match_all_sync(0xffffffffu, 1, (int *)&C[M * N + threadIdx.x]); //@outside
    __match_all_sync(0xffffffffu, 1, &one); //@same
    __match_all_sync(0xffffffffu, 1ll, (int *)&A[threadIdx.x]); //@input
    C[threadIdx.x] = all + own[threadIdx.x] + one;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
