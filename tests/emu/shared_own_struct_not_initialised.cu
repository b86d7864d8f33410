// A member of a student's own struct that was not stored, next to one that a helper returned.
// launch: 8x8x8
// expect: uninitialized @here
#include "matmul.cuh"

struct Pair {
    float value;
    int index;
};

__device__ Pair pair(int x)
{
    return Pair{(float)x, x};
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ Pair pairs[33];
    pairs[threadIdx.x] = pair(threadIdx.x);
    __syncthreads();
    C[threadIdx.x] = pairs[threadIdx.x + 1].value;  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
