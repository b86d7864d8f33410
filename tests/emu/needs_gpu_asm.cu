// Inline PTX need a GPU, and the compiler says so.
// compile: tilegrade_needs_gpu
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    unsigned id;
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(id));
        C[0] = (float)id;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
