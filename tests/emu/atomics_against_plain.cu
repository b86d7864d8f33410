// An atomic operation and a plain load are a race.
// launch: 8x8x8
// expect: race @atomic @plain
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int sum;
    if (threadIdx.x == 0) {
        sum = 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        atomicAdd(&sum, 1);  //@atomic
    } else {
        C[threadIdx.x - 32] = (float)sum;  //@plain
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
