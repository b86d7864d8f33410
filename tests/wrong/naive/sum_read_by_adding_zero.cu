// expect: race 12 15  (thread 0 may read the sum before the others have added)
#include "matmul.cuh"

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sum;
    if (threadIdx.x == 0) {
        sum = 0.0f;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < K; k += 64) {
        atomicAdd(&sum, A[blockIdx.y * K + k] * B[k * N + blockIdx.x]);
    }
    if (threadIdx.x == 0) {
        C[blockIdx.y * N + blockIdx.x] = atomicAdd(&sum, 0.0f);
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(N, M);
}
