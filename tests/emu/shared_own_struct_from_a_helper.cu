// A student's own struct from a helper is no false alarm, whatever its bytes are.
// launch: 8x8x8
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
    __shared__ Pair pairs[32];
    pairs[threadIdx.x] = pair(threadIdx.x);
    __syncthreads();
    C[threadIdx.x] = pairs[31 - threadIdx.x].value;
    __shared__ Pair full[32];
    full[threadIdx.x] = pair(0xff00 + threadIdx.x);
    __syncthreads();
    C[threadIdx.x] += full[31 - threadIdx.x].index;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
