// expect: time_limit 25  (no thread opens the lock again)
// launch: 1x1x500
// result: [sum(a * b for a, b in zip(A, B))]
#include "matmul.cuh"

#define THREADS 64

__global__ void dot(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int lock;
    __shared__ float total;

    const int t = threadIdx.x;
    if (t == 0) {
        lock = 0;
        total = 0.0f;
    }
    __syncthreads();  // the lock is open before anyone asks for it
    float part = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        part += A[k] * B[k];
    }
    bool added = false;
    while (!added) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            atomicAdd(&total, part);
            __threadfence_block();  // the sum is stored before the lock opens
            added = true;
        }
    }
    __syncthreads();  // everyone has added
    if (t == 0) {
        C[0] = total;
    }
}

LAUNCH_CONFIG(dot, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}
