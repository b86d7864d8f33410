// The CPU device's half of ptx.cuh, which says what each function does.
#ifndef TILEGRADE_EMU_PTX_H
#define TILEGRADE_EMU_PTX_H

#include "begin.h"

namespace ptx {
namespace tilegrade {

void async_copy(void *dst, const void *src, unsigned long bytes,
                unsigned long zeros) __asm__("emu_async_copy");
void async_commit() __asm__("emu_async_commit");
void async_wait(unsigned long prior) __asm__("emu_async_wait");
void async_wait_all() __asm__("emu_async_wait_all");
void mbarrier_start(unsigned long long *mbarrier, unsigned int count) __asm__("emu_mbarrier_init");
void mbarrier_end(unsigned long long *mbarrier) __asm__("emu_mbarrier_inval");
void arrive(unsigned long long *mbarrier, unsigned int count) __asm__("emu_mbarrier_arrive");
void expect(unsigned long long *mbarrier, unsigned int bytes) __asm__("emu_mbarrier_expect");
void arrive_expect(unsigned long long *mbarrier,
                   unsigned int bytes) __asm__("emu_mbarrier_arrive_expect");
bool wait(unsigned long long *mbarrier, unsigned int parity,
          bool blocks) __asm__("emu_mbarrier_wait");
void bulk_load(void *dst, const void *src, unsigned int size,
               unsigned long long *mbarrier) __asm__("emu_bulk_load");
void bulk_store(void *dst, const void *src, unsigned int size) __asm__("emu_bulk_store");
void bulk_commit() __asm__("emu_bulk_commit");
void bulk_wait(unsigned int prior, bool reads_only) __asm__("emu_bulk_wait");
void proxy_fence() __asm__("emu_proxy_fence");
void proxy_fence_global() __asm__("emu_proxy_fence_global");
unsigned int load_acquire(const unsigned int *address) __asm__("emu_load_acquire_32");
void add_release(unsigned int *address, unsigned int value) __asm__("emu_add_release_32");
void grid_wait() __asm__("emu_grid_wait");

template <int I, int COUNT, class T> EMU_CALL unsigned int bits_of(const T (&from)[COUNT]) {
    if constexpr (I >= COUNT) {
        return 0;
    } else if constexpr (__is_same(T, float)) {
        return __float_as_uint(from[I]);
    } else {
        return (unsigned int)from[I];
    }
}

template <int I, int COUNT, class T> EMU_CALL void of_bits(T (&to)[COUNT], unsigned int bits) {
    if constexpr (I < COUNT && __is_same(T, float)) {
        to[I] = __uint_as_float(bits);
    } else if constexpr (I < COUNT) {
        to[I] = (T)bits;
    }
}

// From this slot on; see emu/machine/matrix.h.
template <int COUNT, class T> EMU_CALL void put(const T (&from)[COUNT], unsigned int slot) {
    __tilegrade_matrix_put(slot, bits_of<0>(from), bits_of<1>(from), bits_of<2>(from),
                           bits_of<3>(from));
}

template <int COUNT, class T> EMU_CALL void get(T (&to)[COUNT], unsigned int slot) {
    unsigned long long two = __tilegrade_matrix_get(slot);
    of_bits<0>(to, (unsigned int)two);
    of_bits<1>(to, (unsigned int)(two >> 32));
    if constexpr (COUNT > 2) {
        two = __tilegrade_matrix_get(slot + 2);
        of_bits<2>(to, (unsigned int)two);
        of_bits<3>(to, (unsigned int)(two >> 32));
    }
}

template <bool TRANS, int COUNT> EMU_CALL void rows(unsigned int (&d)[COUNT], const void *row) {
    __tilegrade_matrix_rows(COUNT | (TRANS ? 1u : 0u) << 3, row);
    get(d, 0);
}

// factor, sum: types by their numbers in emu/tensor/fragment.h.
template <int K, int FACTOR, int SUM, class T, int SUMS, int AS, int BS>
EMU_CALL void multiply(T (&d)[SUMS], const unsigned int (&a)[AS], const unsigned int (&b)[BS],
                       const T (&c)[SUMS]) {
    put(a, 0);
    put(b, 16);
    put(c, 32);
    __tilegrade_matrix_multiply(FACTOR << 2 | 16u << 6 | 8u << 12 | (unsigned int)K << 18,
                                SUM | SUM << 3);
    get(d, 32);
}

}  // namespace tilegrade

EMU_CALL void ldmatrix_x1(unsigned int (&d)[1], const void *row) {
    tilegrade::rows<false>(d, row);
}
EMU_CALL void ldmatrix_x2(unsigned int (&d)[2], const void *row) {
    tilegrade::rows<false>(d, row);
}
EMU_CALL void ldmatrix_x4(unsigned int (&d)[4], const void *row) {
    tilegrade::rows<false>(d, row);
}
EMU_CALL void ldmatrix_x1_trans(unsigned int (&d)[1], const void *row) {
    tilegrade::rows<true>(d, row);
}
EMU_CALL void ldmatrix_x2_trans(unsigned int (&d)[2], const void *row) {
    tilegrade::rows<true>(d, row);
}
EMU_CALL void ldmatrix_x4_trans(unsigned int (&d)[4], const void *row) {
    tilegrade::rows<true>(d, row);
}

#define TILEGRADE_MMA(name, k, factor, sum, type, sums, as, bs)                                    \
    EMU_CALL void name(type(&d)[sums], const unsigned int(&a)[as], const unsigned int(&b)[bs],     \
                       const type(&c)[sums]) {                                                     \
        tilegrade::multiply<k, factor, sum>(d, a, b, c);                                           \
    }
TILEGRADE_MMA(mma_m16n8k16_f16, 16, 0, 5, float, 4, 4, 2)
TILEGRADE_MMA(mma_m16n8k8_f16, 8, 0, 5, float, 4, 2, 1)
TILEGRADE_MMA(mma_m16n8k16_f16, 16, 0, 0, unsigned int, 2, 4, 2)
TILEGRADE_MMA(mma_m16n8k8_f16, 8, 0, 0, unsigned int, 2, 2, 1)
TILEGRADE_MMA(mma_m16n8k16_bf16, 16, 1, 5, float, 4, 4, 2)
TILEGRADE_MMA(mma_m16n8k8_bf16, 8, 1, 5, float, 4, 2, 1)
TILEGRADE_MMA(mma_m16n8k8_tf32, 8, 2, 5, float, 4, 4, 2)
TILEGRADE_MMA(mma_m16n8k4_tf32, 4, 2, 5, float, 4, 2, 1)
TILEGRADE_MMA(mma_m16n8k32_s8, 32, 3, 6, int, 4, 4, 2)
TILEGRADE_MMA(mma_m16n8k16_s8, 16, 3, 6, int, 4, 2, 1)
TILEGRADE_MMA(mma_m16n8k32_u8, 32, 4, 6, int, 4, 4, 2)
TILEGRADE_MMA(mma_m16n8k16_u8, 16, 4, 6, int, 4, 2, 1)
#undef TILEGRADE_MMA

EMU_CALL unsigned int cvt_rna_tf32(float x) {
    unsigned int bits = __float_as_uint(x);
    bool finite = (bits & 0x7f800000u) != 0x7f800000u;
    return (finite ? bits + 0x1000u : bits) & 0xffffe000u;
}

#define TILEGRADE_CP_ASYNC(name, bytes)                                                            \
    EMU_CALL void name(void *dst, const void *src) {                                               \
        tilegrade::async_copy(dst, src, bytes, 0);                                                 \
    }                                                                                              \
    EMU_CALL void name(void *dst, const void *src, unsigned int src_size) {                        \
        tilegrade::async_copy(dst, src, bytes, bytes - (unsigned long)src_size);                   \
    }
TILEGRADE_CP_ASYNC(cp_async_ca_4, 4)
TILEGRADE_CP_ASYNC(cp_async_ca_8, 8)
TILEGRADE_CP_ASYNC(cp_async_ca_16, 16)
TILEGRADE_CP_ASYNC(cp_async_cg_16, 16)
#undef TILEGRADE_CP_ASYNC

EMU_CALL void cp_async_commit_group() {
    tilegrade::async_commit();
}
template <int N> EMU_CALL void cp_async_wait_group() {
    static_assert(N >= 0, "a number of groups");
    tilegrade::async_wait(N);
}
EMU_CALL void cp_async_wait_all() {
    tilegrade::async_wait_all();
}

EMU_CALL void mbarrier_init(unsigned long long *mbarrier, unsigned int count) {
    tilegrade::mbarrier_start(mbarrier, count);
}
EMU_CALL void mbarrier_inval(unsigned long long *mbarrier) {
    tilegrade::mbarrier_end(mbarrier);
}
EMU_CALL void mbarrier_arrive(unsigned long long *mbarrier) {
    tilegrade::arrive(mbarrier, 1);
}
EMU_CALL void mbarrier_arrive(unsigned long long *mbarrier, unsigned int count) {
    tilegrade::arrive(mbarrier, count);
}
EMU_CALL bool mbarrier_test_wait_parity(unsigned long long *mbarrier, unsigned int parity) {
    return tilegrade::wait(mbarrier, parity, false);
}
EMU_CALL void mbarrier_expect_tx(unsigned long long *mbarrier, unsigned int bytes) {
    tilegrade::expect(mbarrier, bytes);
}
EMU_CALL void mbarrier_arrive_expect_tx(unsigned long long *mbarrier, unsigned int bytes) {
    tilegrade::arrive_expect(mbarrier, bytes);
}
EMU_CALL bool mbarrier_try_wait_parity(unsigned long long *mbarrier, unsigned int parity) {
    return tilegrade::wait(mbarrier, parity, true);
}
// What they order is ordered here by a barrier after the mbarrier.init alone.
EMU_CALL void fence_mbarrier_init() {
}
EMU_CALL void fence_proxy_async() {
    tilegrade::proxy_fence();
}
EMU_CALL void fence_proxy_async_global() {
    tilegrade::proxy_fence_global();
}

EMU_CALL unsigned int ld_acquire_gpu(const unsigned int *address) {
    return tilegrade::load_acquire(address);
}
EMU_CALL void red_release_gpu_add(unsigned int *address, unsigned int value) {
    tilegrade::add_release(address, value);
}

EMU_CALL void cp_async_bulk_shared_global(void *dst, const void *src, unsigned int size,
                                          unsigned long long *mbarrier) {
    tilegrade::bulk_load(dst, src, size, mbarrier);
}
EMU_CALL void cp_async_bulk_global_shared(void *dst, const void *src, unsigned int size) {
    tilegrade::bulk_store(dst, src, size);
}
EMU_CALL void cp_async_bulk_commit_group() {
    tilegrade::bulk_commit();
}
template <int N> EMU_CALL void cp_async_bulk_wait_group() {
    static_assert(N >= 0, "a number of groups");
    tilegrade::bulk_wait(N, false);
}
template <int N> EMU_CALL void cp_async_bulk_wait_group_read() {
    static_assert(N >= 0, "a number of groups");
    tilegrade::bulk_wait(N, true);
}

EMU_CALL void griddepcontrol_wait() {
    tilegrade::grid_wait();
}
// A launch begins as early as it may on this device, whether this is called or not.
EMU_CALL void griddepcontrol_launch_dependents() {
}

}  // namespace ptx

#include "end.h"

#endif
