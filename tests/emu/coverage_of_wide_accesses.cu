// A float4 touches four elements, a byte one.
// gap: A missing=60 box=0,0-7,7 rows=7:1-7 columns=4:4-7
// gap: B missing=63 box=0,0-7,7 rows=7:1-7 columns=7:1-7
// gap: C missing=60 box=0,0-7,7 rows=7:1-7 columns=4:0-3
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float4 four = *(const float4 *)A;
    const unsigned char byte = ((const unsigned char *)B)[1];
    *(float4 *)(C + 4) = make_float4(four.x, four.y, four.z, (float)byte);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
