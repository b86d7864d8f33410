// Reads of C: of what was stored, also by an atomic operation, and of what C held at first.
// launch: 8x8x8
// options: olds
// expect: uninitialized warning C @old
// expect: uninitialized warning C @add
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    if (threadIdx.x == 0) {
        C[0] = A[0];
        float sum = C[0];
        sum += C[1];  //@old
        C[1] = sum + A[1];
        sum += C[1];
        atomicAdd(&C[2], sum);  //@add
        C[3] = C[2];
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
