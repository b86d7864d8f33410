// expect: uninitialized 18  (threads past the end store no 0, and are read)
// launch: 1x100x100
// result: [sum(A[: i + 1]) for i in range(K)]
#include "matmul.cuh"

#define THREADS 128

__global__ void scan(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sums[THREADS];

    const int t = threadIdx.x;
    if (t < K) {
        sums[t] = A[t];
    }
    for (int distance = 1; distance < THREADS; distance *= 2) {
        __syncthreads();  // every sum is stored before it is read
        const float before = t >= distance ? sums[t - distance] : 0.0f;
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
