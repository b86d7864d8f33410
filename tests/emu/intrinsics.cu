// Intrinsics by CUDA's definitions, with values worked out by hand.
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int exponent[2];
    __shared__ float part[4];
    assert(__byte_perm(0x03020100u, 0x07060504u, 0x3210u) == 0x03020100u);
    assert(__byte_perm(0x03020100u, 0x07060504u, 0x7531u) == 0x07050301u);
    assert(__byte_perm(0x01020304u, 0u, 0x8888u) == 0x04040404u);  // the top bit is ignored
    assert(__dp4a(0x7f80ff01, 0x01010102, 10) == 10 + 127 - 128 - 1 + 2);
    assert(__dp4a(0x7f80ff01u, 0x01010102u, 10u) == 10u + 127u + 128u + 255u + 2u);
    assert(__sad(-2147483647 - 1, 2147483647, 1u) == 0u && __sad(5, -3, 2u) == 10u);
    assert(__usad(3u, 0xffffffffu, 0u) == 0xfffffffcu);
    assert(__hadd(-3, 0) == -2 && __hadd(2147483647, 2147483647) == 2147483647);
    assert(__rhadd(-3, 0) == -1 && __uhadd(0xffffffffu, 1u) == 0x80000000u);
    assert(__urhadd(0xffffffffu, 0u) == 0x80000000u);
    assert(__vadd4(0xff7f01f0u, 0x0201ff20u) == 0x01800010u);
    assert(__vadd2(0xffff0001u, 0x0001ffffu) == 0u);
    assert(__vsub4(0x00800110u, 0x01010220u) == 0xff7ffff0u);
    assert(__vsub2(0x00000005u, 0x00010006u) == 0xffffffffu);
    assert(__double2int_rz(-2.7) == -2 && __double2int_rn(2.5) == 2 && __double2int_rn(3.5) == 4);
    assert(__double2int_rd(-2.1) == -3 && __double2int_ru(2.1) == 3);
    assert(__double2ll_rz(1e12) == 1000000000000ll);
    assert(__ull2float_rn(0xffffffffffffffffull) == 18446744073709551616.0f);
    assert(__ll2float_rn(16777217ll) == 16777216.0f && __uint2double_rn(~0u) == 4294967295.0);
    assert(ilogbf(10.0f) == 3 && ilogb(0.25) == -2 && logbf(10.0f) == 3.0f);
    assert(isnan(nanf("")) && isnan(nan("1")));
    assert(frexpf(10.0f, &exponent[0]) == 0.625f && exponent[0] == 4);
    assert(frexp(-3.0, &exponent[1]) == -0.75 && exponent[1] == 2);
    assert(modff(-2.5f, &part[0]) == -0.5f && part[0] == -2.0f);
    sincosf(0.0f, &part[1], &part[2]);
    assert(part[1] == 0.0f && part[2] == 1.0f);
    assert(__isShared(&part[3]) && !__isShared(A) && !__isShared(&K));
    assert(__isGlobal(A) && __isGlobal(&C[63]) && !__isGlobal(part) && !__isGlobal(&K));
    int sum = 0;
    for (int x : {1, 2, 3}) {
        sum += x;
    }
    assert(sum == 6);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
