// expect: out_of_bounds 14  (the launch asks for a quarter of the shared memory)
// launch: 1x50x50
// result: sorted(A)
#include "matmul.cuh"

#define KEYS_MAX 64

__global__ void sort(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float key[];

    const int t = threadIdx.x;
    for (int i = t; i < K; i += blockDim.x) {
        key[i] = A[i];
    }
    for (int step = 0; step < K; ++step) {
        __syncthreads();  // all pairs of the last step are in order
        const int i = 2 * t + step % 2;
        if (i + 1 < K && key[i] > key[i + 1]) {
            const float kept = key[i];
            key[i] = key[i + 1];
            key[i + 1] = kept;
        }
    }
    __syncthreads();  // the last step is done
    for (int i = t; i < K; i += blockDim.x) {
        C[i] = key[i];
    }
}

LAUNCH_CONFIG(sort, M, N, K)
{
    launch->block = dim3(KEYS_MAX / 2);
    launch->grid = dim3(1);
    launch->shared_bytes = K;
}
