// A file with fences is checked in full: the order that an atomic makes must not be missed.
// launch: 64x64x1
// options: nocheck count sample=7
// end: finished
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ bool last;
    unsigned *ticket = (unsigned *)&C[M * N - 1];
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        atomicExch(ticket, 0u);
        __threadfence();
    }
    C[blockIdx.x * 32 + threadIdx.x] = A[blockIdx.x];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        float sum = 0.0f;
        for (int i = 0; i < (int)gridDim.x; i++) {
            sum += C[i * 32 + threadIdx.x];
        }
        C[(M - 1) * N + threadIdx.x] = sum;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(64);
}
