// atomicCAS of unsigned short changes two bytes; the next two belong to other threads.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned short count[2];
    if (threadIdx.x < 2) {
        count[threadIdx.x] = 0;
    }
    __syncthreads();
    unsigned short *at = &count[threadIdx.x % 2];
    unsigned short old = 0, seen = 0;
    do {
        old = seen;
        seen = atomicCAS(at, old, (unsigned short)(old + 1));
    } while (seen != old);
    __syncthreads();
    C[threadIdx.x] = count[threadIdx.x % 2];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
