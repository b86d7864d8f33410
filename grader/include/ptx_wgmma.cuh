// wgmma: the four warps of a warpgroup multiply matrices in shared memory on tensor cores, while
// their threads continue.  A part of ptx.cuh, which includes this file.
//
// A warpgroup is 128 threads; the index of the first is a multiple of 128.  All of them make each
// of these calls together, in the same line and with the same arguments.
//
//     ptx::wgmma_fence();                               // registers may be used by what follows
//     ptx::wgmma_m64n128k16_f16(d, a, b, 0);            // d = A B, from here on under way
//     ptx::wgmma_m64n128k16_f16(d, a + 2, b + 2, 1);    // d += A B, of the next 32 bytes of K
//     ptx::wgmma_commit_group();
//     ptx::wgmma_wait_group<0>();                       // d may be read, A and B stored to
//
// Threads that have stored A or B to shared memory execute fence_proxy_async() and then a barrier.
//
// A GPU needs compute capability 9.0, and code for sm_90a: other GPUs have no wgmma.
//
// Source  PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
#ifndef PTX_WGMMA_CUH
#define PTX_WGMMA_CUH

namespace ptx {

// Before the first wgmma, and between an access to registers that a wgmma uses (sums, or A) and
// that wgmma.  None is needed between two that add to the same sums.
PTX_CALL void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// Call it before wgmma_fence(), so that the registers of A have their values by then.  Otherwise
// ptxas may compute them later and put a fence of its own before the wgmma (C7519), or wait for
// each wgmma (C7520).
PTX_CALL void wgmma_fence_operand(unsigned (&a)[4])
{
    asm volatile("" : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3])::"memory");
}

// Closes a group: the multiplications that this warpgroup has started since the last one.
PTX_CALL void wgmma_commit_group()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most the last N groups of this warpgroup are in flight.
template <int N> PTX_CALL void wgmma_wait_group()
{
    static_assert(N >= 0 && N <= 7, "0 to 7 groups");
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}

// The place and layout of a factor in shared memory.  It consists of rows of `swizzle` bytes, or of
// 16 if that is 0.  A row runs along K, or along M (for A) or N (for B) if the multiplication
// transposes the factor.  Eight rows are next to each other; in the k-th of them the 16 bytes at b
// are at
// b ^ 16 * (k % (swizzle / 16)) for 128, of (k / 2) for 64 and of (k / 4) for 32, as bulk tensor
// copies of such a swizzle put them.
//
// start    A multiple of 16 bytes; eight rows begin at a multiple of 8 * swizzle.  What is added to
//          the descriptor is added to `start` in units of 16 bytes.
// swizzle  0, 32, 64 or 128.
// stride_bytes   From eight rows to the next eight.  (Transposed and without swizzle: from 8
//                elements of M or N to the next 8.)
// leading_bytes  Without swizzle: from 16 bytes of K to the next 16; transposed: from 8 rows to the
//                next 8.  With swizzle: if transposed, from `swizzle` bytes of M or N to the next
//                ones; else it does not matter.
PTX_CALL unsigned long long wgmma_descriptor(const void *start, unsigned leading_bytes,
                                             unsigned stride_bytes, unsigned swizzle)
{
    const unsigned long long mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
    return ((unsigned)__cvta_generic_to_shared(start) >> 4 & 0x3fff) |
           (unsigned long long)(leading_bytes >> 4 & 0x3fff) << 16 |
           (unsigned long long)(stride_bytes >> 4 & 0x3fff) << 32 | mode << 62;
}

// --- wgmma.mma_async ----------------------------------------------------------------------------
//
// D = A B + D, or D = A B if scale_d is 0, with A of 64 rows and B of 8, 16, 32, 64, 96, 128, 192
// or 256 columns, as the name says, and k of 16 (f16, bf16) or 8 (tf32).  In warp w of the
// warpgroup and lane l, with g = l / 4 and t = l % 4:
//
//     d[i]   row 16 w + g + 8 * (i / 2 % 2), column 8 * (i / 4) + 2 t + i % 2
//     a[i]   in registers: rows 16 w to 16 w + 15 of A, as mma.sync has them (ptx.cuh)
//
// TRANS_A, TRANS_B   1: that factor is stored along M or N, and not along K.
#define PTX_SUMS_4(i)  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define PTX_SUMS_8(i)  PTX_SUMS_4(i), PTX_SUMS_4(i + 4)
#define PTX_SUMS_16(i) PTX_SUMS_8(i), PTX_SUMS_8(i + 8)
#define PTX_SUMS_32(i) PTX_SUMS_16(i), PTX_SUMS_16(i + 16)
#define PTX_SUMS_48(i) PTX_SUMS_16(i), PTX_SUMS_32(i + 16)
#define PTX_SUMS_64(i) PTX_SUMS_32(i), PTX_SUMS_32(i + 32)
#define PTX_SUMS_96(i) PTX_SUMS_32(i), PTX_SUMS_64(i + 32)
#define PTX_SUMS_128(i) PTX_SUMS_64(i), PTX_SUMS_64(i + 64)

// Names of operands, by their tens and units.
#define PTX_UNITS_2(tens)  "%" #tens "0, %" #tens "1"
#define PTX_UNITS_4(tens)  PTX_UNITS_2(tens) ", %" #tens "2, %" #tens "3"
#define PTX_UNITS_6(tens)  PTX_UNITS_4(tens) ", %" #tens "4, %" #tens "5"
#define PTX_UNITS_8(tens)  PTX_UNITS_6(tens) ", %" #tens "6, %" #tens "7"
#define PTX_UNITS_10(tens) PTX_UNITS_8(tens) ", %" #tens "8, %" #tens "9, "
#define PTX_NAMES_4        PTX_UNITS_4()
#define PTX_NAMES_8        PTX_UNITS_8()
#define PTX_NAMES_16       PTX_UNITS_10() PTX_UNITS_6(1)
#define PTX_NAMES_30       PTX_UNITS_10() PTX_UNITS_10(1) PTX_UNITS_10(2)
#define PTX_NAMES_32       PTX_NAMES_30 PTX_UNITS_2(3)
#define PTX_NAMES_40       PTX_NAMES_30 PTX_UNITS_10(3)
#define PTX_NAMES_48       PTX_NAMES_40 PTX_UNITS_8(4)
#define PTX_NAMES_60       PTX_NAMES_40 PTX_UNITS_10(4) PTX_UNITS_10(5)
#define PTX_NAMES_64       PTX_NAMES_60 PTX_UNITS_4(6)
#define PTX_NAMES_90       PTX_NAMES_60 PTX_UNITS_10(6) PTX_UNITS_10(7) PTX_UNITS_10(8)
#define PTX_NAMES_96       PTX_NAMES_90 PTX_UNITS_6(9)
#define PTX_NAMES_128                                                                              \
    PTX_NAMES_90 PTX_UNITS_10(9) PTX_UNITS_10(10) PTX_UNITS_10(11) PTX_UNITS_8(12)

// A name, its number of sums, and the names of the operands after the sums.
#define PTX_WGMMA(name, type, n, sums, p0, p1, p2, p3, p4, p5, p6)                                 \
    template <int TRANS_A = 0, int TRANS_B = 0>                                                    \
    PTX_CALL void name(float(&d)[sums], unsigned long long a, unsigned long long b, int scale_d)   \
    {                                                                                              \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p2 ", 0;\n"                               \
                     "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "." type               \
                     " {" PTX_NAMES_##sums "}, %" #p0 ", %" #p1 ", p, 1, 1, %" #p3 ", %" #p4 "; }" \
                     : PTX_SUMS_##sums(0)                                                          \
                     : "l"(a), "l"(b), "r"(scale_d), "n"(TRANS_A), "n"(TRANS_B));                  \
    }                                                                                              \
    template <int TRANS_B = 0>                                                                     \
    PTX_CALL void name(float(&d)[sums], const unsigned(&a)[4], unsigned long long b, int scale_d)  \
    {                                                                                              \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p5 ", 0;\n"                               \
                     "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." type "." type               \
                     " {" PTX_NAMES_##sums "}, {%" #p0 ", %" #p1 ", %" #p2 ", %" #p3 "}, %" #p4    \
                     ", p, 1, 1, %" #p6 "; }"                                                      \
                     : PTX_SUMS_##sums(0)                                                          \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d),           \
                       "n"(TRANS_B));                                                              \
    }
#define PTX_WGMMA_TF32(n, sums, p0, p1, p2, p3, p4, p5)                                            \
    PTX_CALL void wgmma_m64n##n##k8_tf32(float(&d)[sums], unsigned long long a,                    \
                                         unsigned long long b, int scale_d)                        \
    {                                                                                              \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p2 ", 0;\n"                               \
                     "wgmma.mma_async.sync.aligned.m64n" #n "k8.f32.tf32.tf32"                     \
                     " {" PTX_NAMES_##sums "}, %" #p0 ", %" #p1 ", p, 1, 1; }"                     \
                     : PTX_SUMS_##sums(0)                                                          \
                     : "l"(a), "l"(b), "r"(scale_d));                                              \
    }                                                                                              \
    PTX_CALL void wgmma_m64n##n##k8_tf32(float(&d)[sums], const unsigned(&a)[4],                   \
                                         unsigned long long b, int scale_d)                        \
    {                                                                                              \
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %" #p5 ", 0;\n"                               \
                     "wgmma.mma_async.sync.aligned.m64n" #n "k8.f32.tf32.tf32"                     \
                     " {" PTX_NAMES_##sums "}, {%" #p0 ", %" #p1 ", %" #p2 ", %" #p3 "}, %" #p4    \
                     ", p, 1, 1; }"                                                                \
                     : PTX_SUMS_##sums(0)                                                          \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(scale_d));          \
    }
#define PTX_WGMMA_TYPES(n, sums, p0, p1, p2, p3, p4, p5, p6)                                       \
    PTX_WGMMA(wgmma_m64n##n##k16_f16, "f16", n, sums, p0, p1, p2, p3, p4, p5, p6)                  \
    PTX_WGMMA(wgmma_m64n##n##k16_bf16, "bf16", n, sums, p0, p1, p2, p3, p4, p5, p6)                \
    PTX_WGMMA_TF32(n, sums, p0, p1, p2, p3, p4, p5)
PTX_WGMMA_TYPES(8, 4, 4, 5, 6, 7, 8, 9, 10)
PTX_WGMMA_TYPES(16, 8, 8, 9, 10, 11, 12, 13, 14)
PTX_WGMMA_TYPES(32, 16, 16, 17, 18, 19, 20, 21, 22)
PTX_WGMMA_TYPES(64, 32, 32, 33, 34, 35, 36, 37, 38)
PTX_WGMMA_TYPES(96, 48, 48, 49, 50, 51, 52, 53, 54)
PTX_WGMMA_TYPES(128, 64, 64, 65, 66, 67, 68, 69, 70)
PTX_WGMMA_TYPES(192, 96, 96, 97, 98, 99, 100, 101, 102)
PTX_WGMMA_TYPES(256, 128, 128, 129, 130, 131, 132, 133, 134)

// --- setmaxnreg ---------------------------------------------------------------------------------

// From here on each thread of this warpgroup has N registers: more for the threads that multiply,
// which wait until they are free, and fewer for those that copy.  N is a multiple of 8 from 24 to
// 256.
template <int N> PTX_CALL void setmaxnreg_inc()
{
    static_assert(N >= 24 && N <= 256 && N % 8 == 0, "a multiple of 8 from 24 to 256");
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}
template <int N> PTX_CALL void setmaxnreg_dec()
{
    static_assert(N >= 24 && N <= 256 && N % 8 == 0, "a multiple of 8 from 24 to 256");
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

#undef PTX_WGMMA_TYPES
#undef PTX_WGMMA_TF32
#undef PTX_WGMMA

}  // namespace ptx

#endif
