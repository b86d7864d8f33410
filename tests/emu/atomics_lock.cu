// Threads that spin on a lock let its holder go on.
// launch: 1x1x1
// options: nocheck
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int lock, total;
    if (threadIdx.x == 0) {
        lock = 0;
        total = 0;
    }
    __syncthreads();
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            total = total + 1;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    assert(total == 256);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(256);
    launch->grid = dim3(1);
}
