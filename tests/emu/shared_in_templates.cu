// Each instance of a template has its own array.
// row: `__shared__` arrays of any type, in templates and device functions
// launch: 8x8x8
#include "matmul.cuh"

template <class T> __device__ T store(T value)
{
    __shared__ T cell[32];
    cell[threadIdx.x] = value;
    return cell[threadIdx.x];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    store<int>(7);
    store<float>(1.5f);
    __syncthreads();
    assert(store<int>(7) == 7);
    assert(store<float>(1.5f) == 1.5f);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
