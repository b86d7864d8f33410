// Dynamic shared memory, twice by name and once in space.
// row: `extern __shared__`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float words[];
    extern __shared__ char bytes[];
    words[threadIdx.x] = (float)threadIdx.x;
    __syncthreads();
    assert(words[31 - threadIdx.x] == (float)(31 - threadIdx.x));
    assert(bytes[3] == 0);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
    launch->shared_bytes = 32 * sizeof(float);
}
