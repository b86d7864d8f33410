// What a thread has set is its own: across barriers, in helpers, in a second block.
// options: junk
// prints: 36 36
#include "matmul.cuh"

__device__ int sum_of(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    int values[8];
    for (int i = 0; i < 8; i++) {
        values[i] = i + 1;
        __syncthreads();
    }
    int sum = sum_of(values, 8);
    C[blockIdx.x * 8 + threadIdx.x] = (float)sum;
    if (blockIdx.x == 1 && threadIdx.x == 7) {
        printf("%d %g\n", sum, (double)C[15]);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(2);
}
