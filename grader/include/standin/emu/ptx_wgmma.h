// The CPU device's half of ptx_wgmma.cuh, which says what each function does.
#ifndef TILEGRADE_EMU_PTX_WGMMA_H
#define TILEGRADE_EMU_PTX_WGMMA_H

#include "begin.h"

namespace ptx {
namespace tilegrade {

unsigned long long group_descriptor(const void *start, unsigned int leading_bytes,
                                    unsigned int stride_bytes,
                                    unsigned int swizzle) __asm__("emu_wgmma_descriptor");
void group_fence() __asm__("emu_wgmma_fence");
void group_commit() __asm__("emu_wgmma_commit");
void group_wait(unsigned int prior) __asm__("emu_wgmma_wait");
void group_registers(unsigned int count) __asm__("emu_wgmma_registers");

// The code of a call but for scale_d, see emu/tensor/wgmma_layout.h; factor: the number of its type
// in emu/tensor/fragment.h.
constexpr unsigned int group_code(int n, int factor, bool registers, int trans_a, int trans_b) {
    return (unsigned int)n | (unsigned int)factor << 9 | (registers ? 1u : 0u) << 12 |
           (trans_a ? 1u : 0u) << 13 | (trans_b ? 1u : 0u) << 14;
}

}  // namespace tilegrade

EMU_CALL void wgmma_fence() {
    tilegrade::group_fence();
}
EMU_CALL void wgmma_fence_operand(unsigned int (&)[4]) {
}
EMU_CALL void wgmma_commit_group() {
    tilegrade::group_commit();
}
template <int N> EMU_CALL void wgmma_wait_group() {
    static_assert(N >= 0 && N <= 7, "0 to 7 groups");
    tilegrade::group_wait(N);
}
EMU_CALL unsigned long long wgmma_descriptor(const void *start, unsigned int leading_bytes,
                                             unsigned int stride_bytes, unsigned int swizzle) {
    return tilegrade::group_descriptor(start, leading_bytes, stride_bytes, swizzle);
}

#define TILEGRADE_WGMMA(name, n, factor)                                                           \
    template <int TRANS_A = 0, int TRANS_B = 0>                                                    \
    EMU_CALL void name(float(&d)[n / 2], unsigned long long a, unsigned long long b,               \
                       int scale_d) {                                                              \
        __tilegrade_wgmma(tilegrade::group_code(n, factor, false, TRANS_A, TRANS_B) |              \
                              (scale_d != 0 ? 1u : 0u) << 15,                                      \
                          d, nullptr, a, b);                                                       \
    }                                                                                              \
    template <int TRANS_B = 0>                                                                     \
    EMU_CALL void name(float(&d)[n / 2], const unsigned int(&a)[4], unsigned long long b,          \
                       int scale_d) {                                                              \
        __tilegrade_wgmma(tilegrade::group_code(n, factor, true, 0, TRANS_B) |                     \
                              (scale_d != 0 ? 1u : 0u) << 15,                                      \
                          d, a, 0, b);                                                             \
    }
#define TILEGRADE_WGMMA_TF32(name, n)                                                              \
    EMU_CALL void name(float(&d)[n / 2], unsigned long long a, unsigned long long b,               \
                       int scale_d) {                                                              \
        __tilegrade_wgmma(tilegrade::group_code(n, 2, false, 0, 0) | (scale_d != 0 ? 1u : 0u)      \
                                                                         << 15,                    \
                          d, nullptr, a, b);                                                       \
    }                                                                                              \
    EMU_CALL void name(float(&d)[n / 2], const unsigned int(&a)[4], unsigned long long b,          \
                       int scale_d) {                                                              \
        __tilegrade_wgmma(                                                                         \
            tilegrade::group_code(n, 2, true, 0, 0) | (scale_d != 0 ? 1u : 0u) << 15, d, a, 0, b); \
    }
#define TILEGRADE_WGMMA_TYPES(n)                                                                   \
    TILEGRADE_WGMMA(wgmma_m64n##n##k16_f16, n, 0)                                                  \
    TILEGRADE_WGMMA(wgmma_m64n##n##k16_bf16, n, 1)                                                 \
    TILEGRADE_WGMMA_TF32(wgmma_m64n##n##k8_tf32, n)
TILEGRADE_WGMMA_TYPES(8)
TILEGRADE_WGMMA_TYPES(16)
TILEGRADE_WGMMA_TYPES(32)
TILEGRADE_WGMMA_TYPES(64)
TILEGRADE_WGMMA_TYPES(96)
TILEGRADE_WGMMA_TYPES(128)
TILEGRADE_WGMMA_TYPES(192)
TILEGRADE_WGMMA_TYPES(256)
#undef TILEGRADE_WGMMA_TYPES
#undef TILEGRADE_WGMMA_TF32
#undef TILEGRADE_WGMMA

template <int N> EMU_CALL void setmaxnreg_inc() {
    static_assert(N >= 24 && N <= 256 && N % 8 == 0, "a multiple of 8 from 24 to 256");
    tilegrade::group_registers(N);
}
template <int N> EMU_CALL void setmaxnreg_dec() {
    static_assert(N >= 24 && N <= 256 && N % 8 == 0, "a multiple of 8 from 24 to 256");
    tilegrade::group_registers(N);
}

}  // namespace ptx

#include "end.h"

#endif
