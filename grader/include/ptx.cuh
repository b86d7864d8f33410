// Instructions of PTX that have no function in CUDA C++: tensor cores by fragments in registers
// (ldmatrix, mma.sync), and asynchronous copies with all their forms (cp.async).  Each function has
// the name of its instruction, in namespace `ptx`, with `_` for a dot.
//
//     #include "matmul.cuh"
//     #include "ptx.cuh"
//
//     ptx::ldmatrix_x4(a, &As[row][column]);
//     ptx::mma_m16n8k16_f16(acc, a, b, acc);
//
// A GPU needs compute capability 8.0 (Ampere) or later.  On the CPU device every call is checked.
// The 32 threads of a warp make a call of ldmatrix or mma together, in the same line.
//
// Source  PTX ISA, "Matrix multiply-accumulate operations" and "Data Movement: cp.async".
#ifndef PTX_CUH
#define PTX_CUH

#ifdef __TILEGRADE_EMU__
#include "standin/emu/ptx.h"
#else

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error ptx.cuh needs a GPU of compute capability 8.0 or later
#endif

#define PTX_CALL __device__ __forceinline__

namespace ptx {

// --- ldmatrix -----------------------------------------------------------------------------------
//
// Loads 1, 2 or 4 matrices of 8 rows of 16 bytes (8 elements of 16 bits) from shared memory.
//
// row      The start of a row, in shared memory and a multiple of 16 bytes: that of matrix i,
//          row r, comes from lane 8 * i + r.  Of _x1 lanes 8 to 31 name no row, of _x2 lanes 16 to
//          31; what they pass does not matter.
// d[i]     Of matrix i, in lane l: elements 2 * (l % 4) (lower 16 bits) and 2 * (l % 4) + 1 of row
//          l / 4.  _trans: the same of the transposed matrix, that is rows 2 * (l % 4) and
//          2 * (l % 4) + 1 of column l / 4.
#define PTX_ADDRESS "r"((unsigned)__cvta_generic_to_shared(row))
#define PTX_LDMATRIX(name, trans)                                                                  \
    PTX_CALL void ldmatrix_x1##name(unsigned (&d)[1], const void *row)                             \
    {                                                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8.x1" trans ".shared.b16 {%0}, [%1];"               \
                     : "=r"(d[0])                                                                  \
                     : PTX_ADDRESS                                                                 \
                     : "memory");                                                                  \
    }                                                                                              \
    PTX_CALL void ldmatrix_x2##name(unsigned (&d)[2], const void *row)                             \
    {                                                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8.x2" trans ".shared.b16 {%0, %1}, [%2];"           \
                     : "=r"(d[0]), "=r"(d[1])                                                      \
                     : PTX_ADDRESS                                                                 \
                     : "memory");                                                                  \
    }                                                                                              \
    PTX_CALL void ldmatrix_x4##name(unsigned (&d)[4], const void *row)                             \
    {                                                                                              \
        asm volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];"   \
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                              \
                     : PTX_ADDRESS                                                                 \
                     : "memory");                                                                  \
    }
PTX_LDMATRIX(, "")
PTX_LDMATRIX(_trans, ".trans")
#undef PTX_LDMATRIX
#undef PTX_ADDRESS

// --- mma.sync -----------------------------------------------------------------------------------
//
// D = A B + C with A of 16 rows, B of 8 columns, and k of both in the name, as is the type of A
// and B.  d and c may be the same array.  In lane l, with g = l / 4 and t = l % 4:
//
//     k    type        A                               B                           C and D
//     16   f16, bf16   a[0]  row g, columns 2t, 2t+1   b[0]  rows 2t, 2t+1 of      [0], [1]  row g,
//                      a[1]  row g+8, the same               column g                columns 2t,
//                      a[2]  row g, columns 2t+8, +9   b[1]  rows 2t+8, 2t+9         2t+1
//                      a[3]  row g+8, the same               of column g           [2], [3]
//     8    f16, bf16   a[0] and a[1]                   b[0]                          row g+8, the
//     8    tf32        a[0]  row g, column t           b[0]  row t of column g       same
//                      a[1]  row g+8, column t         b[1]  row t+4 of column g
//                      a[2]  row g, column t+4
//                      a[3]  row g+8, column t+4
//     4    tf32        a[0] and a[1]                   b[0]
//     32   s8, u8      a[0]  row g, columns 4t to +3   b[0]  rows 4t to 4t+3 of
//                      a[1]  row g+8, the same               column g
//                      a[2]  row g, from 4t+16         b[1]  rows from 4t+16
//                      a[3]  row g+8, the same
//     16   s8, u8      a[0] and a[1]                   b[0]
//
// A register holds two elements of 16 bits or four of 8 bits, the first in its lowest bits.  An
// element of tf32 is a float of which the lower 13 bits are ignored; cvt_rna_tf32 rounds it.
// C and D are float; of f16 also half, two in a register: d[0] is row g, d[1] is row g+8.  Of s8
// and u8 they are int, and wrap.
#define PTX_MMA_4_2(name, instruction, type, bits)                                                 \
    PTX_CALL void name(type(&d)[4], const unsigned(&a)[4], const unsigned(&b)[2],                  \
                       const type(&c)[4])                                                          \
    {                                                                                              \
        asm volatile("mma.sync.aligned." instruction                                               \
                     " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"        \
                     : "=" bits(d[0]), "=" bits(d[1]), "=" bits(d[2]), "=" bits(d[3])              \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),           \
                       bits(c[0]), bits(c[1]), bits(c[2]), bits(c[3]));                            \
    }
#define PTX_MMA_2_1(name, instruction, type, bits)                                                 \
    PTX_CALL void name(type(&d)[4], const unsigned(&a)[2], const unsigned(&b)[1],                  \
                       const type(&c)[4])                                                          \
    {                                                                                              \
        asm volatile("mma.sync.aligned." instruction                                               \
                     " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"                       \
                     : "=" bits(d[0]), "=" bits(d[1]), "=" bits(d[2]), "=" bits(d[3])              \
                     : "r"(a[0]), "r"(a[1]), "r"(b[0]), bits(c[0]), bits(c[1]), bits(c[2]),        \
                       bits(c[3]));                                                                \
    }
PTX_MMA_4_2(mma_m16n8k16_f16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f")
PTX_MMA_2_1(mma_m16n8k8_f16, "m16n8k8.row.col.f32.f16.f16.f32", float, "f")
PTX_MMA_4_2(mma_m16n8k16_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f")
PTX_MMA_2_1(mma_m16n8k8_bf16, "m16n8k8.row.col.f32.bf16.bf16.f32", float, "f")
PTX_MMA_4_2(mma_m16n8k8_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f")
PTX_MMA_2_1(mma_m16n8k4_tf32, "m16n8k4.row.col.f32.tf32.tf32.f32", float, "f")
PTX_MMA_4_2(mma_m16n8k32_s8, "m16n8k32.row.col.s32.s8.s8.s32", int, "r")
PTX_MMA_2_1(mma_m16n8k16_s8, "m16n8k16.row.col.s32.s8.s8.s32", int, "r")
PTX_MMA_4_2(mma_m16n8k32_u8, "m16n8k32.row.col.s32.u8.u8.s32", int, "r")
PTX_MMA_2_1(mma_m16n8k16_u8, "m16n8k16.row.col.s32.u8.u8.s32", int, "r")
#undef PTX_MMA_4_2
#undef PTX_MMA_2_1

// Sums of half.
PTX_CALL void mma_m16n8k16_f16(unsigned (&d)[2], const unsigned (&a)[4], const unsigned (&b)[2],
                               const unsigned (&c)[2])
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"
                 " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]),
                   "r"(c[1]));
}
PTX_CALL void mma_m16n8k8_f16(unsigned (&d)[2], const unsigned (&a)[2], const unsigned (&b)[1],
                              const unsigned (&c)[2])
{
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16"
                 " {%0, %1}, {%2, %3}, {%4}, {%5, %6};"
                 : "=r"(d[0]), "=r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]));
}

// --- cvt ----------------------------------------------------------------------------------------

// A float rounded to tf32, 11 digits: the nearest, and of two equally near the one farther from 0.
PTX_CALL unsigned cvt_rna_tf32(float x)
{
    unsigned d;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(d) : "f"(x));
    return d;
}

// --- cp.async -----------------------------------------------------------------------------------
//
// Starts a copy from global to shared memory of as many bytes as the name says; both addresses are
// multiples of that.  The copy is done when this thread has waited for its group, and a barrier
// after that wait makes it visible to the other threads.
//
// dst, src   In shared memory; in global memory.
// src_size   Reads only so many bytes, and fills the rest of dst with 0.  If it is 0, nothing is
//            read.
// _ca, _cg   By the caches L1 and L2, or by L2 alone.
#define PTX_CP_ASYNC(name, cache, bytes)                                                           \
    PTX_CALL void name(void *dst, const void *src)                                                 \
    {                                                                                              \
        asm volatile("cp.async." cache ".shared.global [%0], [%1], " bytes ";" ::"r"(              \
                         (unsigned)__cvta_generic_to_shared(dst)),                                 \
                     "l"(__cvta_generic_to_global(src))                                            \
                     : "memory");                                                                  \
    }                                                                                              \
    PTX_CALL void name(void *dst, const void *src, unsigned src_size)                              \
    {                                                                                              \
        asm volatile("cp.async." cache ".shared.global [%0], [%1], " bytes ", %2;" ::"r"(          \
                         (unsigned)__cvta_generic_to_shared(dst)),                                 \
                     "l"(__cvta_generic_to_global(src)), "r"(src_size)                             \
                     : "memory");                                                                  \
    }
PTX_CP_ASYNC(cp_async_ca_4, "ca", "4")
PTX_CP_ASYNC(cp_async_ca_8, "ca", "8")
PTX_CP_ASYNC(cp_async_ca_16, "ca", "16")
PTX_CP_ASYNC(cp_async_cg_16, "cg", "16")
#undef PTX_CP_ASYNC

// Closes a group: the copies that this thread has started since the last one, or none.
PTX_CALL void cp_async_commit_group()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most the last N groups of this thread are in flight.
template <int N> PTX_CALL void cp_async_wait_group()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Waits for all copies of this thread, in groups or not.
PTX_CALL void cp_async_wait_all()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

// --- mbarrier -----------------------------------------------------------------------------------
//
// An mbarrier is 8 bytes of shared memory that count, phase by phase, arrivals of threads and bytes
// of bulk copies.  A phase is complete when `count` arrivals have been made and all bytes that it
// expects have been copied; then the next one begins.  The first phase has the parity 0, the next
// one 1, then 0 again.
//
//     if (threadIdx.x == 0) {
//         ptx::mbarrier_init(&full, 1);
//         ptx::fence_mbarrier_init();
//     }
//     __syncthreads();
//     if (threadIdx.x == 0) {
//         ptx::mbarrier_arrive_expect_tx(&full, sizeof tile);
//         ptx::cp_async_bulk_shared_global(tile, from, sizeof tile, &full);
//     }
//     while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
//     }
//
// An arrival releases the thread's earlier accesses, and a wait that returns true acquires them, as
// __syncthreads() does for all threads of a block.

// Begins the first phase; count is 1 to 2^20 - 1.  The other threads see it after a barrier.
PTX_CALL void mbarrier_init(unsigned long long *mbarrier, unsigned count)
{
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier)),
                 "r"(count)
                 : "memory");
}

// Its memory may then be used for something else.
PTX_CALL void mbarrier_inval(unsigned long long *mbarrier)
{
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier))
                 : "memory");
}

// Makes one arrival.
PTX_CALL void mbarrier_arrive(unsigned long long *mbarrier)
{
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier))
                 : "memory");
}

// True if the phase of this parity, 0 or 1, is complete.  It must be the parity of the current
// phase or of the previous one.
PTX_CALL bool mbarrier_test_wait_parity(unsigned long long *mbarrier, unsigned parity)
{
    unsigned complete;
    asm volatile("{ .reg .pred complete;\n"
                 "mbarrier.test_wait.parity.shared.b64 complete, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, complete; }"
                 : "=r"(complete)
                 : "r"((unsigned)__cvta_generic_to_shared(mbarrier)), "r"(parity)
                 : "memory");
    return complete != 0;
}

// From here on a GPU needs compute capability 9.0 (Hopper), or ptxas reports the instruction.

// Makes `count` arrivals.
PTX_CALL void mbarrier_arrive(unsigned long long *mbarrier, unsigned count)
{
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier)),
                 "r"(count)
                 : "memory");
}

// The current phase expects this many more bytes; the second form also arrives.
PTX_CALL void mbarrier_expect_tx(unsigned long long *mbarrier, unsigned bytes)
{
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier)),
                 "r"(bytes)
                 : "memory");
}
PTX_CALL void mbarrier_arrive_expect_tx(unsigned long long *mbarrier, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(mbarrier)),
                 "r"(bytes)
                 : "memory");
}

// Waits a while for the phase of this parity, 0 or 1, then returns whether it is complete: use it
// in a loop.
PTX_CALL bool mbarrier_try_wait_parity(unsigned long long *mbarrier, unsigned parity)
{
    unsigned complete;
    asm volatile("{ .reg .pred complete;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, complete; }"
                 : "=r"(complete)
                 : "r"((unsigned)__cvta_generic_to_shared(mbarrier)), "r"(parity)
                 : "memory");
    return complete != 0;
}

// After mbarrier_init, before the barrier.
PTX_CALL void fence_mbarrier_init()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Between stores of threads to shared memory and a bulk copy that reads it: each thread that stores
// executes it, and then a barrier follows.
PTX_CALL void fence_proxy_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// The same for stores to global memory that a bulk copy of the same launch reads.  If threads
// synchronize by a flag, it belongs before the writer's __threadfence(), or after the reader's.
PTX_CALL void fence_proxy_async_global()
{
    asm volatile("fence.proxy.async.global;" ::: "memory");
}

// --- ld.acquire, red.release --------------------------------------------------------------------
//
// For a counter in global memory with which blocks pass data on.  The thread that adds has stored
// the data itself, or has passed a __syncwarp() or __syncthreads() after the stores; the thread
// that loads the counter, and sees the addition, may read the data.

// A volatile load with a __threadfence() after it.
PTX_CALL unsigned ld_acquire_gpu(const unsigned *address)
{
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                 : "=r"(value)
                 : "l"(__cvta_generic_to_global(address))
                 : "memory");
    return value;
}

// An atomicAdd that returns nothing, with a __threadfence() before it.
PTX_CALL void red_release_gpu_add(unsigned *address, unsigned value)
{
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(
                     __cvta_generic_to_global(address)),
                 "r"(value)
                 : "memory");
}

// --- cp.async.bulk ------------------------------------------------------------------------------
//
// One thread starts a copy of `size` bytes.  Both addresses and the size are multiples of 16.

// From global to shared memory.  The bytes count in the current phase of the mbarrier, which must
// expect them; threads that have waited for that phase see them.
PTX_CALL void cp_async_bulk_shared_global(void *dst, const void *src, unsigned size,
                                          unsigned long long *mbarrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"((unsigned)__cvta_generic_to_shared(dst)),
                 "l"(__cvta_generic_to_global(src)), "r"(size),
                 "r"((unsigned)__cvta_generic_to_shared(mbarrier))
                 : "memory");
}

// From shared to global memory, in a group.  See fence_proxy_async.
PTX_CALL void cp_async_bulk_global_shared(void *dst, const void *src, unsigned size)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(
                     __cvta_generic_to_global(dst)),
                 "r"((unsigned)__cvta_generic_to_shared(src)), "r"(size)
                 : "memory");
}

// Closes a group: the bulk copies to global memory that this thread has started since the last one.
PTX_CALL void cp_async_bulk_commit_group()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// Waits until at most the last N groups of this thread are in flight; _read: until all others have
// read shared memory, which may then be stored to again.
template <int N> PTX_CALL void cp_async_bulk_wait_group()
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory");
}
template <int N> PTX_CALL void cp_async_bulk_wait_group_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

// --- griddepcontrol -----------------------------------------------------------------------------
//
// In the launches of one product, see LAUNCH_DEPENDENT (kernel.cuh).  On a GPU older than Hopper,
// where launches do not overlap, both do nothing.

// In a dependent launch: waits until the previous launch has ended and its stores are visible to
// this launch.  It does not cover earlier launches, unless the previous launch has waited for them.
// One thread per block is enough if a barrier follows.  In any other launch it returns immediately.
PTX_CALL void griddepcontrol_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// The next, dependent launch may begin when each block of this launch has called this or has ended.
// It may be called before this launch stores its results, because the dependent launch waits for
// its end.
PTX_CALL void griddepcontrol_launch_dependents()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace ptx

#include "ptx_cluster.cuh"
#include "ptx_tensor.cuh"
#include "ptx_wgmma.cuh"

#undef PTX_CALL
#endif

#endif
