// expect: pass  (each key counts those before it, and goes there)
// launch: 1x50x50
// result: sorted(A)
#include "matmul.cuh"

__global__ void sort(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < K) {
        int rank = 0;
        for (int k = 0; k < K; ++k) {
            rank += A[k] < A[i] || (A[k] == A[i] && k < i);
        }
        C[rank] = A[i];
    }
}

LAUNCH_CONFIG(sort, M, N, K)
{
    launch->block = dim3(16);
    launch->grid = dim3(ceil_div(K, 16));
}
