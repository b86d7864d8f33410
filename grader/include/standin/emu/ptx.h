// The CPU device's half of ptx.cuh and its parts, which document each function.
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

// From this slot on; see emu/machine/collectives.h.
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

// factor, sum: types by their numbers in emu/tensor/tensor_cores.h.
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
// Here a barrier after the mbarrier.init is enough for the order that they create.
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

// --- Clusters: ptx_cluster.cuh --------------------------------------------------------------
namespace ptx {
namespace tilegrade {

void meet_arrive() __asm__("emu_cluster_arrive");
void meet_wait() __asm__("emu_cluster_wait");
unsigned int cluster_rank() __asm__("emu_cluster_rank");
unsigned int cluster_extent(unsigned int axis) __asm__("emu_cluster_extent");
void *cluster_map(const void *address, unsigned int rank) __asm__("emu_cluster_map");
void arrive_there(unsigned long long *mbarrier, unsigned int rank,
                  bool relaxed) __asm__("emu_cluster_mbarrier_arrive");

}  // namespace tilegrade

EMU_CALL void cluster_arrive() {
    tilegrade::meet_arrive();
}
EMU_CALL void cluster_wait() {
    tilegrade::meet_wait();
}
EMU_CALL unsigned int cluster_ctarank() {
    return tilegrade::cluster_rank();
}
EMU_CALL unsigned int cluster_nctarank() {
    return tilegrade::cluster_extent(0) * tilegrade::cluster_extent(1) *
           tilegrade::cluster_extent(2);
}
template <class T> EMU_CALL T *mapa(T *address, unsigned int rank) {
    return (T *)tilegrade::cluster_map((const void *)address, rank);
}
EMU_CALL void mbarrier_arrive_cluster(unsigned long long *mbarrier, unsigned int rank) {
    tilegrade::arrive_there(mbarrier, rank, false);
}
EMU_CALL void mbarrier_arrive_relaxed_cluster(unsigned long long *mbarrier, unsigned int rank) {
    tilegrade::arrive_there(mbarrier, rank, true);
}

}  // namespace ptx

// --- Tensor copies: ptx_tensor.cuh ----------------------------------------------------------
struct tensor_map;

namespace ptx {
namespace tilegrade {

// See emu/hooks/bulk_calls.c.
void tensor_load(void *dst, const tensor_map *map, unsigned long long *mbarrier,
                 unsigned long long xy, unsigned long long zw,
                 unsigned long long v_rank) __asm__("emu_tensor_load");
void tensor_multicast(void *dst, const tensor_map *map, unsigned long long *mbarrier,
                      unsigned long long xy, unsigned int blocks) __asm__("emu_tensor_multicast");
void tensor_store(const tensor_map *map, const void *src, unsigned long long xy,
                  unsigned long long zw, unsigned long long v_rank) __asm__("emu_tensor_store");
void tensor_prefetch(const tensor_map *map) __asm__("emu_tensor_prefetch");

EMU_CALL unsigned long long pair(int lower, int upper) {
    return (unsigned int)lower | (unsigned long long)(unsigned int)upper << 32;
}

}  // namespace tilegrade

#define TILEGRADE_LIST(...) __VA_ARGS__
#define TILEGRADE_TENSOR(rank, coordinates, xy, zw, v)                                             \
    EMU_CALL void cp_async_bulk_tensor_##rank##d_shared_global(                                    \
        void *dst, const tensor_map *map, coordinates, unsigned long long *mbarrier) {             \
        tilegrade::tensor_load(dst, map, mbarrier, tilegrade::pair xy, tilegrade::pair zw,         \
                               tilegrade::pair(v, rank));                                          \
    }                                                                                              \
    EMU_CALL void cp_async_bulk_tensor_##rank##d_global_shared(const tensor_map *map, coordinates, \
                                                               const void *src) {                  \
        tilegrade::tensor_store(map, src, tilegrade::pair xy, tilegrade::pair zw,                  \
                                tilegrade::pair(v, rank));                                         \
    }
TILEGRADE_TENSOR(1, int x, (x, 0), (0, 0), 0)
TILEGRADE_TENSOR(2, TILEGRADE_LIST(int x, int y), (x, y), (0, 0), 0)
TILEGRADE_TENSOR(3, TILEGRADE_LIST(int x, int y, int z), (x, y), (z, 0), 0)
TILEGRADE_TENSOR(4, TILEGRADE_LIST(int x, int y, int z, int w), (x, y), (z, w), 0)
TILEGRADE_TENSOR(5, TILEGRADE_LIST(int x, int y, int z, int w, int v), (x, y), (z, w), v)
#undef TILEGRADE_TENSOR
#undef TILEGRADE_LIST

EMU_CALL void cp_async_bulk_tensor_2d_shared_global_multicast(void *dst, const tensor_map *map,
                                                              int x, int y,
                                                              unsigned long long *mbarrier,
                                                              unsigned short blocks) {
    tilegrade::tensor_multicast(dst, map, mbarrier, tilegrade::pair(x, y), blocks);
}

EMU_CALL void prefetch_tensormap(const tensor_map *map) {
    tilegrade::tensor_prefetch(map);
}

}  // namespace ptx

// --- wgmma: ptx_wgmma.cuh -------------------------------------------------------------------
namespace ptx {
namespace tilegrade {

unsigned long long group_descriptor(const void *start, unsigned int leading_bytes,
                                    unsigned int stride_bytes,
                                    unsigned int swizzle) __asm__("emu_wgmma_descriptor");
void group_fence() __asm__("emu_wgmma_fence");
void group_commit() __asm__("emu_wgmma_commit");
void group_wait(unsigned int prior) __asm__("emu_wgmma_wait");
void group_registers(unsigned int count) __asm__("emu_wgmma_registers");

// The code of a call but for scale_d, see emu/tensor/tensor_cores.h; factor: the number of its type
// in emu/tensor/tensor_cores.h.
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
