// Structs copied whole, each where its type may lie: none has to lie as a float4 that holds none.
// launch: 8x8x8
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
    const Two two = *(const Two *)&A[4 * i];
    const Floats floats = *(const Floats *)&A[i + 1];
    const Doubles doubles = *(const Doubles *)&A[2 * i + 2];
    const Three three = *(const Three *)&A[2 * i + 2];
    float sum = two.part[1].x + floats.part[6] + (doubles.y != three.part[2]);
    sum += first(*(const float4 *)&A[4 * i]);
    sum += first(C, *(const float2 *)&A[0], *(const float2 *)&A[2 * i + 2], i);
    C[i] = sum;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8);
    launch->grid = dim3(1);
}
