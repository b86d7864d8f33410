// expect: race 17 19  (the buffers do not take turns)
// launch: 1x100x100
// result: [sum(A[: i + 1]) for i in range(K)]
#include "matmul.cuh"

#define THREADS 128

__global__ void scan(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float sums[2][THREADS];

    const int t = threadIdx.x;
    int from = 0;
    sums[from][t] = t < K ? A[t] : 0.0f;
    __syncthreads();  // every element is there before it is added
    for (int distance = 1; distance < THREADS; distance *= 2) {
        const float before = t >= distance ? sums[from][t - distance] : 0.0f;
        sums[1 - from][t] = sums[from][t] + before;
        sums[from][t] = sums[1 - from][t];
        __syncthreads();  // this buffer is full, and the other one is read
    }
    if (t < K) {
        C[t] = sums[from][t];
    }
}

LAUNCH_CONFIG(scan, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}
