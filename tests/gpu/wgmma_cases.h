// Multiplications by wgmma of drawn inputs, and what the CPU device makes of them.  Read by
// tests/gpu/wgmma_values.cu, which compares with a card, and by tests/unit/emu/test_wgmma.c.
#ifndef TESTS_GPU_WGMMA_CASES_H
#define TESTS_GPU_WGMMA_CASES_H

#include "tensor_cases.h"

// A is [64][K], B is [N][K], and C [64][N]; inputs are those of the case of this number in
// tensor_cases.h, the last three with infinities, NaNs and the largest numbers.
#define WGMMA_N 16

// X(number, K, type of A and B, hash of the bits of all D).  Not measured.
#define WGMMA_CASES(X)                                                                             \
    X(18, 16, T_HALF, 0xd78b81e38e28bdcbull)                                                       \
    X(22, 16, T_BF16, 0x353cb444ba7ecde2ull)                                                       \
    X(24, 8, T_TF32, 0xae059a4939513b33ull)                                                        \
    X(30, 16, T_HALF, 0x875983600f192b19ull)                                                       \
    X(32, 16, T_BF16, 0x7dcf2b5e07bca9a5ull)                                                       \
    X(33, 8, T_TF32, 0xa6a848041cb5c13full)

#endif
