// expect: race 8 11  (the others may add before thread 0 clears the sum)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sum;
    if (threadIdx.x == 0) {
        atomicExch(&sum, 0.0f);
    }
    for (int k = threadIdx.x; k < K; k += 64) {
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
