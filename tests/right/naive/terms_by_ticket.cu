// expect: pass  (threads take terms from a queue; which takes which does not change the sum)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int next;
    __shared__ float sum;
    if (threadIdx.x == 0) {
        next = 0;
        sum = 0.0f;
    }
    __syncthreads();
    for (int k = atomicAdd(&next, 1); k < K; k = atomicAdd(&next, 1)) {
        atomicAdd(&sum, A[blockIdx.y * K + k] * B[k * N + blockIdx.x]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        C[blockIdx.y * N + blockIdx.x] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(N, M);
}
