// expect: pass  (the thread that waited sets the flag back, and the other one waits for that)
// launch: 1x1x64
// result: [sum(A)]
#include "matmul.cuh"

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float box;
    __shared__ int full;
    volatile int *flag = &full;
    const int t = threadIdx.x;
    if (t == 0) {
        full = 0;
    }
    __syncthreads();
    if (t == 0) {
        for (int i = 0; i < K; ++i) {
            while (*flag == 1) {
            }
            __threadfence_block();
            box = A[i];
            __threadfence_block();
            *flag = 1;
        }
    } else if (t == 32) {
        float sum = 0.0f;
        for (int i = 0; i < K; ++i) {
            while (*flag == 0) {
            }
            __threadfence_block();
            sum += box;
            __threadfence_block();
            *flag = 0;
        }
        C[0] = sum;
    }
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
