// The CPU device's half of ptx_wgmma.cuh, which says what each function does.
#ifndef TILEGRADE_EMU_PTX_WGMMA_H
#define TILEGRADE_EMU_PTX_WGMMA_H

#include "begin.h"

namespace ptx {

EMU_NEEDS_GPU(wgmma) void wgmma_fence();
EMU_NEEDS_GPU(wgmma) void wgmma_commit_group();
template <int N> EMU_NEEDS_GPU(wgmma) void wgmma_wait_group();
EMU_NEEDS_GPU(wgmma)
unsigned long long wgmma_descriptor(const void *start, unsigned int leading_bytes,
                                    unsigned int stride_bytes, unsigned int swizzle);

#define TILEGRADE_WGMMA(name, sums)                                                                \
    template <int TRANS_A = 0, int TRANS_B = 0>                                                    \
    EMU_NEEDS_GPU(wgmma)                                                                           \
    void name(float(&d)[sums], unsigned long long a, unsigned long long b, int scale_d);           \
    template <int TRANS_B = 0>                                                                     \
    EMU_NEEDS_GPU(wgmma)                                                                           \
    void name(float(&d)[sums], const unsigned int(&a)[4], unsigned long long b, int scale_d);
#define TILEGRADE_WGMMA_TYPES(n)                                                                   \
    TILEGRADE_WGMMA(wgmma_m64n##n##k16_f16, n / 2)                                                 \
    TILEGRADE_WGMMA(wgmma_m64n##n##k16_bf16, n / 2)                                                \
    EMU_NEEDS_GPU(wgmma)                                                                           \
    void wgmma_m64n##n##k8_tf32(float(&d)[n / 2], unsigned long long a, unsigned long long b,      \
                                int scale_d);                                                      \
    EMU_NEEDS_GPU(wgmma)                                                                           \
    void wgmma_m64n##n##k8_tf32(float(&d)[n / 2], const unsigned int(&a)[4], unsigned long long b, \
                                int scale_d);
TILEGRADE_WGMMA_TYPES(8)
TILEGRADE_WGMMA_TYPES(16)
TILEGRADE_WGMMA_TYPES(32)
TILEGRADE_WGMMA_TYPES(64)
TILEGRADE_WGMMA_TYPES(96)
TILEGRADE_WGMMA_TYPES(128)
TILEGRADE_WGMMA_TYPES(192)
TILEGRADE_WGMMA_TYPES(256)
#undef TILEGRADE_WGMMA_TYPES
#undef TILEGRADE_WGMMA

template <int N> EMU_NEEDS_GPU(wgmma) void setmaxnreg_inc();
template <int N> EMU_NEEDS_GPU(wgmma) void setmaxnreg_dec();

}  // namespace ptx

#include "end.h"

#endif
