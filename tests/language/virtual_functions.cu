// expect: needs_gpu
// row: `virtual` functions
#include "matmul.cuh"

struct Base {
    __device__ virtual float value()
    {
        return 1.0f;
    }
};

__global__ void matmul_naive(const float *A, const float *B, float *C, int M, int N, int K)
{
    Base base;  //@here
    Base *pointer = &base;
    C[0] = pointer->value();
}

LAUNCH_CONFIG(matmul_naive, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
