// __ldg reads what an earlier launch has stored, and an element before it is stored.
// launch: 8x8x8
// end: finished
#include "matmul.cuh"

__global__ void first(const float *A, const float *B, float *C, int M, int N, int K)
{
    C[threadIdx.x] = A[threadIdx.x];
}

__global__ void second(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    const float value = __ldg(&C[t]) + __ldg((const float *)C + 31 - t);
    __syncthreads();
    C[t] = value;
    C[32 + t] = C[t];
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    LAUNCH(first, dim3(1), dim3(32));
    LAUNCH(second, dim3(1), dim3(32));
}
