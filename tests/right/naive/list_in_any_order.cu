// expect: pass  (threads go to the head of a list by an exchange; the sum of the list has no order)
#include "matmul.cuh"

#define THREADS 64

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[THREADS];
    __shared__ int next[THREADS];
    __shared__ int head;
    const int t = threadIdx.x;
    if (t == 0) {
        head = -1;
    }
    __syncthreads();
    part[t] = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        part[t] += A[blockIdx.y * K + k] * B[k * N + blockIdx.x];
    }
    next[t] = atomicExch(&head, t);
    __syncthreads();
    if (t == 0) {
        float sum = 0.0f;
        for (int i = head; i >= 0; i = next[i]) {
            sum += part[i];
        }
        C[blockIdx.y * N + blockIdx.x] = sum;
    }
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(N, M);
}
