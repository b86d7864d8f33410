// expect: race 28 32  (a plain store of a sum against the atomic reads of the last warp)
// launch: 3x1x300
// result: [sum(A[i * K : (i + 1) * K]) for i in range(M)]
#include "matmul.cuh"

#define THREADS 128
#define WARPS   (THREADS / 32)

__global__ void reduction(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[WARPS];
    __shared__ int tickets;

    const int t = threadIdx.x;
    if (t == 0) {
        tickets = 0;
    }
    __syncthreads();  // there are tickets before anyone draws one
    float sum = 0.0f;
    for (int k = t; k < K; k += THREADS) {
        sum += A[blockIdx.x * K + k];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    }

    if (t % 32 == 0) {
        part[t / 32] = sum;
        if (atomicAdd(&tickets, 1) == WARPS - 1) {
            float total = 0.0f;
            for (int warp = 0; warp < WARPS; ++warp) {
                total += atomicAdd(&part[warp], 0.0f);
            }
            C[blockIdx.x] = total;
        }
    }
}

LAUNCH_CONFIG(reduction, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(M);
}
