// expect: race 17 28  (the values may be read before the flag)
// launch: 1x1x32
// result: [sum(A)]
#include "matmul.cuh"

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float values[32];
    __shared__ volatile int ready;

    const int t = threadIdx.x;
    if (t == 0) {
        ready = 0;
    }
    __syncthreads();  // nothing is ready yet
    if (t >= 32) {
        values[t - 32] = A[t - 32];
        __syncwarp();  // all 32 values are there
        if (t == 32) {
            __threadfence_block();  // … for other warps too
            ready = 1;
        }
    } else if (t == 0) {
        while (ready == 0) {
        }
        float sum = 0.0f;
        for (int i = 0; i < 32; ++i) {
            sum += values[i];
        }
        C[0] = sum;
    }
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
