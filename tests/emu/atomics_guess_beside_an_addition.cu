// Loads at the place of a right guess, of a word that atomicAdd changes: no atomicCAS decides about
// the sums that the other threads have seen.
// launch: 8x8x8
// expect: race @load @add
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    int old = sum;  //@load
    if (threadIdx.x == 0) {
        atomicCAS(&sum, old, old + 1);
    }
    if (threadIdx.x > 0) {
        atomicAdd(&sum, 2);  //@add
    }
    C[threadIdx.x] = (float)old;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
