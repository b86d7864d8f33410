// Blocks that are not in the sample initialize, copy and exchange without being watched; nothing
// follows from what was not seen.
// launch: 100x64x64
// options: nocheck count sample=7
// end: finished
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float row[64];
    __shared__ int turn;
    int t = threadIdx.x;
    if (t == 0) {
        turn = 0;
    }
    row[t] = A[blockIdx.x * K + t];
    __syncthreads();
    atomicAdd(&turn, 1);
    float acc = 0.0f;
    for (int k = 0; k < K; k++) {
        acc += row[k] * B[k * N + t];
    }
    __syncthreads();
    row[t] = turn == 64 ? acc : 0.0f;
    __syncthreads();
    C[blockIdx.x * N + t] = row[t];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(100);
}
