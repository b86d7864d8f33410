// While block 0 waits, all threads of block 1 read the same place of their own shared memory.
// launch: 1x1x1
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void wait(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    __shared__ int number;
    __shared__ int readers;
    __shared__ int sum;
    int *flag = (int *)workspace;
    if (threadIdx.x == 0) {
        number = 7 + blockIdx.x;
        readers = 0;
        sum = 0;
    }
    __syncthreads();
    atomicAdd(&sum, number);
    __threadfence_block();
    atomicAdd(&readers, 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&readers, 0) < 128) {
        }
        if (blockIdx.x == 1) {
            atomicExch(flag, 1);
        }
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
        assert(number == 7 + blockIdx.x && sum == 128 * number);
        number = 9;
    }
    __syncthreads();
    assert(number == 9);
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        C[0] = 1.0f;
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->workspace_bytes = 8;
    LAUNCH(clear, dim3(1), dim3(2));
    LAUNCH(wait, dim3(2), dim3(128));
}
