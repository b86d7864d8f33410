// A load of a word that atomicCAS changes, but the thread compares with another value: what was
// loaded is never decided about.
// launch: 8x8x8
// expect: race @load @compare
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int turn;
    if (threadIdx.x == 0) {
        turn = 1;
    }
    __syncthreads();
    int seen = turn;  //@load
    atomicCAS(&turn, seen + 1, 5);  //@compare
    C[threadIdx.x] = (float)seen;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
