// A barrier does not make a store of the same launch visible to __ldg.
// launch: 8x8x8
// expect: race RACE_READ_ONLY C @store @read
// expect: race RACE_READ_ONLY C @add @own
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    const float4 four = __ldg((const float4 *)A);
    C[t] = __ldg(&A[t]) + __ldg(B + t) + four.x;  //@store
    atomicAdd(&C[40], 1.0f);  //@add
    __syncthreads();
    if (t < 16) {
        C[42 + t] = C[31 - t];
    }
    if (t == 0) {
        const float *walk = C;
        C[33] = *walk++;
        C[35] = __ldg(walk++);  //@read
        C[34] = __ldg(&C[40]);  //@own
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
