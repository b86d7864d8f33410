// expect: pass  (three loads a thread)
// launch: 1x200x200
// result: [sum(A[max(i - 1, 0) : i + 2]) for i in range(K)]
#include "matmul.cuh"

__global__ void stencil(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= K) {
        return;
    }
    float sum = A[i];
    if (i > 0) {
        sum += A[i - 1];
    }
    if (i < K - 1) {
        sum += A[i + 1];
    }
    C[i] = sum;
}

LAUNCH_CONFIG(stencil, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(ceil_div(K, 64));
}
