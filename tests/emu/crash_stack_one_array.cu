// A local array larger than the stack.
// launch: 8x8x8
// expect: crash stack overflow @here
#include "matmul.cuh"

__device__ float use(int x)
{  //@here
    float room[60000];  //@here
    float *cell = room;
    for (int i = 0; i < 60000; i++) {  //@here
        cell[i] = (float)(x + i);
    }
    return cell[x];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = use(threadIdx.x);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
