// expect: barrier_divergence 12 35  (lanes 0 to 3 shuffle, the others are at a barrier)
// launch: 3x1x300
// result: [sum(A[i * K : (i + 1) * K]) for i in range(M)]
#include "matmul.cuh"

#define THREADS 128
#define WARPS   (THREADS / 32)

__device__ float warp_sum(float value)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xffffffff, value, distance);
    }
    return value;
}

__global__ void reduction(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float of_warp[WARPS];

    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        sum += A[blockIdx.x * K + k];
    }
    sum = warp_sum(sum);
    if (t % 32 == 0) {
        of_warp[t / 32] = sum;
    }
    __syncthreads();  // the sums of all warps are there

    if (t < WARPS) {
        of_warp[t] = warp_sum(of_warp[t]);
    }
    __syncthreads();  // the sum is there
    if (t == 0) {
        C[blockIdx.x] = of_warp[0];
    }
}

LAUNCH_CONFIG(reduction, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(M);
}
