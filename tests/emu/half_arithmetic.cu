// Half precision: each operation rounds once, to nearest even; the bits were worked out with
// row: `<cuda_fp16.h>`: `half`, `half2`, arithmetic, conversions
// fractions.
// launch: 8x8x8
#include <cuda_fp16.h>
#include "matmul.cuh"

#define BITS(expression) __half_as_ushort(expression)
#define HALF(bits)       __ushort_as_half((unsigned short)(bits))
#define CHECK(x, y, sum, product, quotient, z, fused)                                              \
    assert(BITS(HALF(x) + HALF(y)) == sum && BITS(__hadd(HALF(y), HALF(x))) == sum);               \
    assert(BITS(HALF(x) * HALF(y)) == product && BITS(__hmul(HALF(y), HALF(x))) == product);       \
    assert(BITS(HALF(x) / HALF(y)) == quotient && BITS(HALF(x) - -HALF(y)) == sum);                \
    assert(BITS(__hfma(HALF(x), HALF(y), HALF(z))) == fused);

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    // x, y: x + y, x * y, x / y; z: x * y + z
    CHECK(0x3c01, 0x1000, 0x3c02, 0x1001, 0x6801, 0x0001, 0x1001);
    CHECK(0x7bff, 0x4c00, 0x7c00, 0x7c00, 0x6bff, 0xbc00, 0x7c00);
    CHECK(0x0001, 0x3800, 0x3800, 0x0000, 0x0002, 0x0001, 0x0002);
    CHECK(0x0003, 0x3800, 0x3800, 0x0002, 0x0006, 0x7bff, 0x7bff);
    CHECK(0x7bff, 0x7bff, 0x7c00, 0x7c00, 0x3c00, 0x3c00, 0x7c00);
    CHECK(0x3c00, 0x4200, 0x4400, 0x4200, 0x3555, 0x0001, 0x4200);
    CHECK(0xcfbc, 0x2de5, 0xcfb6, 0xc1b3, 0xdd40, 0x41b3, 0x0aa0);
    CHECK(0x1400, 0x3c00, 0x3c01, 0x1400, 0x1400, 0x3555, 0x3559);
    CHECK(0x0400, 0xbc00, 0xbc00, 0x8400, 0x8400, 0x3c00, 0x3c00);
    CHECK(0x7bff, 0x03ff, 0x7bff, 0x43fd, 0x7c00, 0xc3fd, 0x0020);
    CHECK(0x0400, 0x7bff, 0x7bff, 0x43ff, 0x0000, 0x1400, 0x4400);
    CHECK(0x0400, 0x3555, 0x3555, 0x0155, 0x0a00, 0x8155, 0x0000);
    CHECK(0x0400, 0x0001, 0x0401, 0x0000, 0x6400, 0x8000, 0x0000);
    CHECK(0x0400, 0x0400, 0x0800, 0x0000, 0x3c00, 0x1400, 0x1400);
    CHECK(0x0400, 0x7872, 0x7872, 0x4072, 0x0000, 0xbc00, 0x3ce4);
    CHECK(0x3c01, 0xbc00, 0x1400, 0xbc01, 0xbc01, 0x0001, 0xbc01);
    CHECK(0x0400, 0x03ff, 0x07ff, 0x0000, 0x3c01, 0x8000, 0x0000);
    CHECK(0x3555, 0x0001, 0x3555, 0x0000, 0x7c00, 0x3c00, 0x3c00);
    CHECK(0x1400, 0xbc00, 0xbbfe, 0x9400, 0x9400, 0x0400, 0x9380);
    // Halfway between two numbers: to the even one.  Then the largest, and what is beyond.
    assert(BITS(__float2half(1.00048828125f)) == 0x3c00 && BITS(half(1.00146484375f)) == 0x3c02);
    assert(BITS(__float2half_rz(1.0009f)) == 0x3c00 && BITS(__float2half_ru(1.0001f)) == 0x3c01);
    assert(BITS(__float2half_rd(-1.0001f)) == 0xbc01 && BITS(__float2half_rn(0.1f)) == 0x2e66);
    assert(BITS(half(65504.0f)) == 0x7bff && BITS(half(65519.0f)) == 0x7bff);
    assert(BITS(half(65520.0f)) == 0x7c00 && BITS(half(5.9604645e-8f)) == 0x0001);
    assert(BITS(half(2.9802322e-8f)) == 0x0000 && __half2float(HALF(0x0001)) == 5.9604645e-8f);
    assert(__hisnan(HALF(0x7e00)) && __hisinf(HALF(0xfc00)) == -1 && !(HALF(0x7e00) == half(1)));
    assert(__hequ(HALF(0x7e00), half(1)) && !__heq(HALF(0x7e00), half(1)));
    assert(__hlt(half(1), half(2)) && !__hlt(half(2), half(2)) && __hle(half(2), half(2)));
    assert(BITS(hsqrt(half(2.0f))) == 0x3da8 && BITS(__habs(half(-2))) == 0x4000);
    assert(__half2int_rn(half(2.5f)) == 2 && __half2int_rz(half(-2.75f)) == -2);
    assert((int)half(7.9f) == 7 && BITS(__hmax(HALF(0x7e00), half(1))) == 0x3c00);
    assert(BITS(__hmin(half(-1), half(1))) == 0xbc00);

    half2 pair = __floats2half2_rn(1.5f, -2.0f);
    half2 sum = __hadd2(pair, __float2half2_rn(0.5f));
    assert(__low2float(sum) == 2.0f && __high2float(sum) == -1.5f);
    pair = __hfma2(pair, pair, __half2half2(half(1)));
    assert(pair.x == half(3.25f) && __half22float2(pair).y == 5.0f && pair > sum);
    pair = make_half2(half(1), half(2)) * pair;
    assert((float)pair.y == 10.0f && __high2half(__lowhigh2highlow(pair)) == half(3.25f));
    half up = __shfl_up_sync(0xffffffffu, half((int)threadIdx.x), 1);
    assert(up == half(threadIdx.x ? (int)threadIdx.x - 1 : 0));

    __shared__ half tile[4][8];
    __shared__ half2 wide[16];
    half *flat = &tile[0][0];
    flat[threadIdx.x] = __float2half((float)threadIdx.x);
    if (threadIdx.x < 16) {
        wide[threadIdx.x] = __floats2half2_rn((float)threadIdx.x, 1.0f);
    }
    __syncthreads();
    half element = flat[31 - threadIdx.x];
    element += wide[threadIdx.x / 2].y;
    C[threadIdx.x] = element;
    assert(C[threadIdx.x] == 32.0f - threadIdx.x);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
