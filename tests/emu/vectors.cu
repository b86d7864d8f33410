// Vector types: sizes, alignments, copies.
// row: `float4`, `int2`, `ulonglong2` … and `make_float4` …
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
    static_assert(sizeof(int2) == 8 && alignof(int2) == 8 && sizeof(uchar4) == 4, "");
    static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
    __shared__ float3 threes[32];
    __shared__ int4 fours[32];
    threes[threadIdx.x] = make_float3(1.0f, 2.0f, 3.0f);
    fours[threadIdx.x] = make_int4(1, 2, 3, (int)threadIdx.x);
    __syncthreads();
    const float3 three = threes[31 - threadIdx.x];
    int4 four = fours[31 - threadIdx.x];
    four.x += 1;
    assert(three.z == 3.0f && four.x == 2 && four.w == 31 - (int)threadIdx.x);
    const dim3 extent(4, 2);
    assert(extent.z == 1 && extent.x == 4);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
