// expect: barrier_divergence 17 20  (each branch has its own barrier)
// launch: 1x100x100
// result: [sum(A[: i + 1]) for i in range(K)]
#include "matmul.cuh"

#define THREADS 128

__global__ void scan(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sums[THREADS];

    const int t = threadIdx.x;
    sums[t] = t < K ? A[t] : 0.0f;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        float before = 0.0f;
        if (t >= distance) {
            __syncthreads();  // every sum is stored before it is read
            before = sums[t - distance];
        } else {
            __syncthreads();
        }
        __syncthreads();  // every sum is read before it is stored again
        sums[t] += before;
    }
    if (t < K) {
        C[t] = sums[t];
    }
}

LAUNCH_CONFIG(scan, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}
