// An atomic operation works on global and shared memory only.
// launch: 8x8x8
// expect: crash atomic operation on local memory @local
// end: stopped
#include "matmul.cuh"

__device__ void add(float *sum, float value)
{
    atomicAdd(sum, value); //@local
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float shared_sum;
    float sum = 0.0f;
    if (threadIdx.x == 0) {
        shared_sum = 0.0f;
    }
    __syncthreads();
    add(&shared_sum, 1.0f);
    add(&C[0], 1.0f);
    add(&sum, 1.0f);
    C[threadIdx.x] = sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
