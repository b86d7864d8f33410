// expect: race 21 31  (the next value may be stored before this one is read)
// launch: 1x1x50
// result: [sum(A)]
#include "matmul.cuh"

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float value;
    __shared__ volatile int full;

    const int t = threadIdx.x;
    if (t == 0) {
        full = 0;
    }
    __syncthreads();  // the place is empty
    if (t == 0) {
        for (int k = 0; k < K; ++k) {
            while (full) {
            }
            __threadfence_block();  // the last value is read before this one is stored
            value = A[k];
            __threadfence_block();  // the value is there before its flag
            full = 1;
        }
    } else if (t == 32) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) {
            while (!full) {
            }
            __threadfence_block();  // the value is read after its flag
            sum += value;
            full = 0;
        }
        C[0] = sum;
    }
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
