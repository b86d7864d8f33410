// bfloat16: 8 digits and the exponents of a float, rounded once to nearest even.
// row: `<cuda_bf16.h>`: `nv_bfloat16`
// launch: 8x8x8
#include <cuda_bf16.h>
#include "matmul.cuh"

#define BITS(expression) __bfloat16_as_ushort(expression)

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    nv_bfloat16 one = __float2bfloat16(1.0f), small = __float2bfloat16(0.00390625f);
    assert(BITS(one) == 0x3f80 && BITS(small) == 0x3b80);
    // 1 + 1/256 lies halfway to the next number, 1 + 3/256 too: both go to the even one.
    assert(BITS(one + small) == 0x3f80 && BITS(__float2bfloat16(1.01171875f)) == 0x3f82);
    assert(BITS(__hmul(__float2bfloat16(3.0f), __float2bfloat16(0.3359375f))) == 0x3f81);
    assert(BITS(one / __float2bfloat16(3.0f)) == 0x3eab);
    assert(BITS(__float2bfloat16(3.4e38f)) == 0x7f80 && BITS(__float2bfloat16(3.38e38f)) == 0x7f7e);
    assert(BITS(__hfma(one, one, small)) == 0x3f80 && __bfloat162float(-one) == -1.0f);
    nv_bfloat162 pair = __floats2bfloat162_rn(1.0f, 2.0f);
    pair = __hadd2(pair, pair);
    assert(__low2float(pair) == 2.0f && __high2float(pair) == 4.0f && one < pair.x);
    C[threadIdx.x] = __bfloat162float(pair.y);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
