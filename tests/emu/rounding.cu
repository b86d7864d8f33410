// Directed rounding, and intrinsics that few kernels use, with values worked out by hand.
// row: rounding by name: `__fadd_rz`, `__fmul_ru` …
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const float tiny = 2.98023224e-8f, next = 1.00000012f, before = 0.99999994f;  // 2^-25, 1 +- ulp
    assert(__fadd_rz(1.0f, tiny) == 1.0f && __fadd_rd(1.0f, tiny) == 1.0f);
    assert(__fadd_ru(1.0f, tiny) == next && __fadd_rn(1.0f, tiny) == 1.0f);
    assert(__fsub_rz(1.0f, tiny) == before && __fsub_ru(1.0f, tiny) == 1.0f);
    assert(__fadd_ru(1.0f, 1e-30f) == next && __fadd_rd(-1.0f, -1e-30f) == -next);
    assert(__fmul_rz(next, next) == 1.00000024f && __fmul_ru(next, next) > 1.00000024f);
    assert(__fdiv_rd(1.0f, 3.0f) < __fdiv_ru(1.0f, 3.0f) && __fdiv_rz(6.0f, 3.0f) == 2.0f);
    assert(__fmaf_ru(1.0f, 1.0f, 1e-30f) == next && __fmaf_rz(1.0f, 1.0f, -1e-30f) == before);
    assert(__fsqrt_rd(2.0f) == 1.41421354f && __fsqrt_ru(2.0f) == 1.41421366f);
    assert(__int2float_rz(16777217) == 16777216.0f && __int2float_ru(16777217) == 16777218.0f);
    assert(__double2float_rd(-1.00000001) == -next && __double2float_rz(-1.00000001) == -1.0f);
    assert(__float2ll_ru(1.25f) == 2 && __float2uint_rd(1.75f) == 1u && __frcp_rz(4.0f) == 0.25f);
    assert(__brevll(1ull) == 0x8000000000000000ull && __mul64hi(-1ll, 2ll) == -1ll);
    assert(__umul64hi(0xffffffffffffffffull, 2ull) == 1ull);
    assert(__funnelshift_lc(1u, 2u, 40u) == 1u && __funnelshift_rc(1u, 2u, 40u) == 2u);
    assert(__double2hiint(1.0) == 0x3ff00000 && __hiloint2double(0x3ff00000, 0) == 1.0);
    assert(sinpif(0.5f) == 1.0f && cospif(2.0f) == 1.0f && rhypotf(3.0f, 4.0f) == 0.2f);
    int quotient = 0;
    assert(remquof(7.0f, 3.0f, &quotient) == 1.0f && quotient == 2);
    C[threadIdx.x] = norm3df(1.0f, 2.0f, 2.0f);
    assert(C[threadIdx.x] == 3.0f);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
