// A float2 that a call takes by value must be at a multiple of 8 bytes.
// launch: 8x8x8
// expect: misaligned A @here
#include "matmul.cuh"

struct __align__(16) Two {
    float4 part[2];
};
struct Floats {
    float part[7];
};
struct Doubles {
    double x, y;
};
struct Three {
    double part[3];
};

__device__ float first(float4 four)
{
    return four.x;
}
__device__ float first(float *A, const float2 &one, float2 two, int i)
{
    return one.x + two.y + i;
}

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int i = threadIdx.x;
    C[0] = first(C, *(const float2 *)&A[0], *(const float2 *)&A[i + 1], i);  //@here
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
