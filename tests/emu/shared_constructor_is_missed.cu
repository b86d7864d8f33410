// The constructor of an object in shared memory does not run: what it would store is not there.
// launch: 8x8x8
// expect: uninitialized counts @here
#include "matmul.cuh"

struct Counts {
    int x;
    __device__ Counts() : x(0)
    {
    }
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Counts counts[32];
    C[threadIdx.x] = counts[31 - threadIdx.x].x;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
