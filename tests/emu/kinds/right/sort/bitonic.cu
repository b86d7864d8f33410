// expect: pass  (bitonic sort in shared memory, a barrier a step)
// launch: 1x50x50
// result: sorted(A)
#include "matmul.cuh"

#define THREADS 64
#define LAST    1.0e30f  // behind every key

__global__ void sort(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float key[THREADS];

    const int t = threadIdx.x;
    key[t] = t < K ? A[t] : LAST;
    __syncthreads();  // every key is there before any two are compared
    for (int size = 2; size <= THREADS; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            const int other = t ^ distance;
            const bool up = (t & size) == 0;
            if (other > t && (key[t] > key[other]) == up) {
                const float kept = key[t];
                key[t] = key[other];
                key[other] = kept;
            }
            __syncthreads();  // all pairs of this step are in order
        }
    }
    if (t < K) {
        C[t] = key[t];
    }
}

LAUNCH_CONFIG(sort, M, N, K)
{
    launch->block = dim3(THREADS);
    launch->grid = dim3(1);
}
