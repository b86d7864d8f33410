// CUDA for the CPU device: force-included before a submission, so that g++ compiles the file as
// C++.
//
// Everything that a kernel may use is declared here; the usual headers are empty stand-ins
// (grader/include/standin).  Calls whose source line matters are plain functions of the runtime,
// because an inlined wrapper would hide the line.
#ifndef EMU_SHIM_CUDA_EMU_H
#define EMU_SHIM_CUDA_EMU_H

#ifdef TILEGRADE_PROGRAM
#include "program_headers.h"
#endif

#define __TILEGRADE_EMU__ 1
#define __CUDACC__        1
// The oldest toolkit with everything that is declared here.
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
// Volta: independent thread scheduling.
#define __CUDA_ARCH__ 700

// gcc warns that "used" is ignored for an `extern __shared__` array, and that #pragma unroll is
// unknown.
#pragma GCC diagnostic ignored "-Wattributes"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#include "cuda_pragma.h"

// The mark by which the inspector recognizes device code: any other function that a submission
// defines is host code.  (A separate section cannot be the mark, because gcc refuses to mix
// templates and plain functions in one.)
#define __device__ __attribute__((patchable_function_entry(1, 0)))
// The ".protected" that gcc writes for a kernel tells it from other device functions.
#define __global__ __device__ __attribute__((visibility("protected")))
#define __host__

// "used" keeps stores that no code reads.  device/assembly/rewrite.c puts the arrays far apart.
#define __shared__ thread_local __attribute__((used))

// Each object in its own section, because gcc refuses const and other objects in one.  The
// inspector knows the prefix.
#define TILEGRADE_SECTION_NAME(number) __attribute__((section("tilegrade_constant." #number)))
#define TILEGRADE_SECTION(number)      TILEGRADE_SECTION_NAME(number)
#define __constant__                   TILEGRADE_SECTION(__COUNTER__)

// The launch bounds of a kernel become nops, which the inspector counts: as many before its label
// as the threads, and one more after it than the blocks per SM.  __maxnreg__ has 64 more than that.
// No other attribute of a function accepts any constant, including a template's, and shows in
// kernel.s.
#define TILEGRADE_AT_MOST(threads) ((threads) > 1024 ? 1024 : (threads))
#define TILEGRADE_BLOCKS(blocks)   ((blocks) > 32 ? 32 : (blocks))
#define TILEGRADE_BOUND(threads, blocks, ...)                                                      \
    __attribute__((patchable_function_entry(                                                       \
        TILEGRADE_AT_MOST(threads) + 1 + TILEGRADE_BLOCKS(blocks), TILEGRADE_AT_MOST(threads))))
#define __launch_bounds__(...) TILEGRADE_BOUND(__VA_ARGS__, 0, 0)
#define __maxnreg__(count)     __attribute__((patchable_function_entry(65 + (count), 0)))
#define __grid_constant__
#define __align__(bytes)         __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__          inline __attribute__((always_inline))
#define __noinline__             __attribute__((noinline))

#ifdef TILEGRADE_PROGRAM  // program_text.c has not seen it: it is hidden in a macro
#define __managed__ __attribute__((aligned(32768)))
#else
#define __managed__ tilegrade_needs_gpu_managed_memory
#endif

// Variables of the device, in a program: device/source/program_text.c writes these names.
#define TILEGRADE_PART_NAME(name, number) __attribute__((section("tilegrade_" #name "." #number)))
#define TILEGRADE_PART(name, number)      TILEGRADE_PART_NAME(name, number)
#define __tilegrade_variable__            TILEGRADE_PART(device, __COUNTER__)
#define __tilegrade_managed__             TILEGRADE_PART(managed, __COUNTER__)
// gcc ignores the section of a template's variable; device/assembly/rewrite.c knows the alignment,
// and that of __managed__.
#define __tilegrade_template_constant__ __attribute__((aligned(8192)))
#define __tilegrade_template_variable__ __attribute__((aligned(16384)))

// A function of the runtime, by the name that the linker sees.
#define EMU_NAME(name) __asm__("emu_" #name)
// A helper that disappears by inlining; helpers of students stay functions.
#define EMU_PLAIN  inline __attribute__((always_inline, artificial))
#define EMU_INLINE constexpr EMU_PLAIN

#include "cuda_clusters.h"

// --- Vector types --------------------------------------------------------------------------------
// Vector types and dim3, with CUDA's alignments: a float4 is one 16-byte access, at a multiple of
// 16.  They are plain structs: gcc -Og copies them as a whole, so that one line stays one access.

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#ifndef TILEGRADE_PROGRAM
// `for (int x : {1, 2})` needs this type; g++ fills in these two members.
namespace std {
template <class T> class initializer_list {
    const T *first;
    size_t count;
    __attribute__((always_inline)) constexpr initializer_list(const T *from, size_t size_)
        : first(from), count(size_) {
    }

  public:
    __attribute__((always_inline)) constexpr initializer_list() : first(nullptr), count(0) {
    }
    __attribute__((always_inline)) constexpr size_t size() const {
        return count;
    }
    __attribute__((always_inline)) constexpr const T *begin() const {
        return first;
    }
    __attribute__((always_inline)) constexpr const T *end() const {
        return first + count;
    }
};
}  // namespace std
#endif

// gcc instruments `s[i] = t`, but not the store of `s[i] = f()` where f returns a struct, and it
// stores the members of `s[i] = {x, y}` one by one.  So an assignment from a temporary is a call of
// the runtime.  It is a template, because the struct must stay trivial for __shared__ arrays.
// Braces have no type, so they get the default.
template <class T, class U> struct tilegrade_same {};
template <class T> struct tilegrade_same<T, T> { typedef int type; };
#define TILEGRADE_ASSIGN(name)                                                                     \
    name &operator=(const name &) = default;                                                       \
    template <class T = name, typename tilegrade_same<T, name>::type = 0> name &operator=(T &&);
#define TILEGRADE_ASSIGN_NAME(name, bytes)                                                         \
    template <> name &name::operator=<name, 0>(name &&) EMU_NAME(assign_##bytes);

// TILEGRADE_VECTORS(name, type, alignment of 2, alignment of 4, bytes of 2, 3 and 4): name1 to
// name4 and their make functions.
#define TILEGRADE_VECTORS(name, type, align2, align4, bytes2, bytes3, bytes4)                      \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct __align__(align2) name##2 {                                                             \
        type x, y;                                                                                 \
        TILEGRADE_ASSIGN(name##2)                                                                  \
    };                                                                                             \
    struct name##3 {                                                                               \
        type x, y, z;                                                                              \
        TILEGRADE_ASSIGN(name##3)                                                                  \
    };                                                                                             \
    struct __align__(align4) name##4 {                                                             \
        type x, y, z, w;                                                                           \
        TILEGRADE_ASSIGN(name##4)                                                                  \
    };                                                                                             \
    TILEGRADE_ASSIGN_NAME(name##2, bytes2)                                                         \
    TILEGRADE_ASSIGN_NAME(name##3, bytes3)                                                         \
    TILEGRADE_ASSIGN_NAME(name##4, bytes4)                                                         \
    EMU_INLINE name##1 make_##name##1(type x) {                                                    \
        return name##1 {x};                                                                        \
    }                                                                                              \
    EMU_INLINE name##2 make_##name##2(type x, type y) {                                            \
        return name##2 {x, y};                                                                     \
    }                                                                                              \
    EMU_INLINE name##3 make_##name##3(type x, type y, type z) {                                    \
        return name##3 {x, y, z};                                                                  \
    }                                                                                              \
    EMU_INLINE name##4 make_##name##4(type x, type y, type z, type w) {                            \
        return name##4 {x, y, z, w};                                                               \
    }

// Source of the alignments: CUDA C++ Programming Guide, "Built-in Vector Types".
TILEGRADE_VECTORS(char, signed char, 2, 4, 2, 3, 4)
TILEGRADE_VECTORS(uchar, unsigned char, 2, 4, 2, 3, 4)
TILEGRADE_VECTORS(short, short, 4, 8, 4, 6, 8)
TILEGRADE_VECTORS(ushort, unsigned short, 4, 8, 4, 6, 8)
TILEGRADE_VECTORS(int, int, 8, 16, 8, 12, 16)
TILEGRADE_VECTORS(uint, unsigned int, 8, 16, 8, 12, 16)
TILEGRADE_VECTORS(long, long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(ulong, unsigned long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(longlong, long long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(ulonglong, unsigned long long, 16, 16, 16, 24, 32)
TILEGRADE_VECTORS(float, float, 8, 16, 8, 12, 16)
TILEGRADE_VECTORS(double, double, 16, 16, 16, 24, 32)

struct dim3 {
    unsigned int x, y, z;
    __attribute__((always_inline)) constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                                                  unsigned int z_ = 1)
        : x(x_), y(y_), z(z_) {
    }
    __attribute__((always_inline)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {
    }
    __attribute__((always_inline)) constexpr operator uint3() const {
        return uint3{x, y, z};
    }
};

#undef TILEGRADE_VECTORS
#undef TILEGRADE_ASSIGN
#undef TILEGRADE_ASSIGN_NAME

// --- Threads -------------------------------------------------------------------------------------
// Indices of a thread, barriers of the block, fences, clocks.

// They are const here but variables in the machine, because gcc does not instrument reads of const
// objects.  A thread never sees them change: the machine sets them before it runs the thread.
extern "C" const uint3 threadIdx EMU_NAME(thread_index);
extern "C" const uint3 blockIdx EMU_NAME(block_index);
extern "C" const dim3 blockDim EMU_NAME(block_extent);
extern "C" const dim3 gridDim EMU_NAME(grid_extent);
static const int warpSize = 32;

void __syncthreads(void) EMU_NAME(syncthreads);
int __syncthreads_count(int predicate) EMU_NAME(syncthreads_count);
int __syncthreads_and(int predicate) EMU_NAME(syncthreads_and);
int __syncthreads_or(int predicate) EMU_NAME(syncthreads_or);

void __threadfence(void) EMU_NAME(fence);
void __threadfence_block(void) EMU_NAME(fence_block);
void __threadfence_system(void) EMU_NAME(fence);
void __nanosleep(unsigned int nanoseconds) EMU_NAME(nanosleep);

// Counts the accesses of the block so far.  It is the same in every run, so it cannot measure time.
#ifndef TILEGRADE_PROGRAM  // where it is a function of the host too: emu/hooks/host_calls.c
typedef long clock_t;
clock_t clock(void) EMU_NAME(clock);
#endif
long long clock64(void) EMU_NAME(clock);

[[noreturn]] void __trap(void) EMU_NAME(trap);
[[noreturn]] void __brkpt(void) EMU_NAME(trap);
EMU_INLINE void __builtin_tilegrade_assume(bool) {
}
#define __builtin_assume(condition) __builtin_tilegrade_assume(true)

// Loads and stores with a cache hint are plain loads and stores.  They are macros, so that the
// place is the student's line.
#define __ldca(pointer)        (*(pointer))
#define __ldcg(pointer)        (*(pointer))
#define __ldcs(pointer)        (*(pointer))
#define __ldcv(pointer)        (*(pointer))
#define __ldlu(pointer)        (*(pointer))
#define __stcg(pointer, value) ((void)(*(pointer) = (value)))
#define __stcs(pointer, value) ((void)(*(pointer) = (value)))
#define __stwb(pointer, value) ((void)(*(pointer) = (value)))
#define __stwt(pointer, value) ((void)(*(pointer) = (value)))

// Returns the pointer, for the load that follows.
const void *__tilegrade_ldg(const void *pointer, unsigned int bytes) EMU_NAME(ldg);
#define __ldg(pointer) (*(decltype(&*(pointer)))__tilegrade_ldg((pointer), sizeof *(pointer)))

// --- Warps ---------------------------------------------------------------------------------------
// Collective operations of the lanes of a warp.

void __syncwarp(unsigned int mask = 0xffffffffu) EMU_NAME(syncwarp);
unsigned int __activemask(void) EMU_NAME(activemask);

int __all_sync(unsigned int mask, int predicate) EMU_NAME(all_sync);
int __any_sync(unsigned int mask, int predicate) EMU_NAME(any_sync);
unsigned int __ballot_sync(unsigned int mask, int predicate) EMU_NAME(ballot_sync);

#define TILEGRADE_SHUFFLES(type, bits)                                                             \
    type __shfl_sync(unsigned int mask, type value, int lane, int width = 32)                      \
        EMU_NAME(shfl_##bits);                                                                     \
    type __shfl_up_sync(unsigned int mask, type value, unsigned int delta, int width = 32)         \
        EMU_NAME(shfl_up_##bits);                                                                  \
    type __shfl_down_sync(unsigned int mask, type value, unsigned int delta, int width = 32)       \
        EMU_NAME(shfl_down_##bits);                                                                \
    type __shfl_xor_sync(unsigned int mask, type value, int lane_mask, int width = 32)             \
        EMU_NAME(shfl_xor_##bits);
TILEGRADE_SHUFFLES(int, 32)
TILEGRADE_SHUFFLES(unsigned int, 32)
TILEGRADE_SHUFFLES(long, 64)
TILEGRADE_SHUFFLES(unsigned long, 64)
TILEGRADE_SHUFFLES(long long, 64)
TILEGRADE_SHUFFLES(unsigned long long, 64)
TILEGRADE_SHUFFLES(float, f32)
TILEGRADE_SHUFFLES(double, f64)
#undef TILEGRADE_SHUFFLES

#define TILEGRADE_MATCHES(type, bits)                                                              \
    unsigned int __match_any_sync(unsigned int mask, type value) EMU_NAME(match_any_##bits);       \
    unsigned int __match_all_sync(unsigned int mask, type value, int *all)                         \
        EMU_NAME(match_all_##bits);
TILEGRADE_MATCHES(int, 32)
TILEGRADE_MATCHES(unsigned int, 32)
TILEGRADE_MATCHES(long, 64)
TILEGRADE_MATCHES(unsigned long, 64)
TILEGRADE_MATCHES(long long, 64)
TILEGRADE_MATCHES(unsigned long long, 64)
TILEGRADE_MATCHES(float, f32)
TILEGRADE_MATCHES(double, f64)
#undef TILEGRADE_MATCHES

unsigned int __reduce_add_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_add);
int __reduce_add_sync(unsigned int mask, int value) EMU_NAME(reduce_add);
unsigned int __reduce_min_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_min_u32);
int __reduce_min_sync(unsigned int mask, int value) EMU_NAME(reduce_min_i32);
unsigned int __reduce_max_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_max_u32);
int __reduce_max_sync(unsigned int mask, int value) EMU_NAME(reduce_max_i32);
unsigned int __reduce_and_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_and);
unsigned int __reduce_or_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_or);
unsigned int __reduce_xor_sync(unsigned int mask, unsigned int value) EMU_NAME(reduce_xor);

// --- Tensor cores --------------------------------------------------------------------------------
// Called by include/standin/emu/mma.h and ptx.h; see emu/hooks/lane_calls.c.  Declared here, before
// the kernel file, so that the file cannot decide whether its exercise lets it use tensor cores.

#ifdef TILEGRADE_TENSOR_CORES
#define TILEGRADE_ALLOWED
#else
#define TILEGRADE_ALLOWED __attribute__((error("tilegrade_tensor_cores")))
#endif
void __tilegrade_matrix_put(unsigned int slot, unsigned int first, unsigned int second,
                            unsigned int third, unsigned int fourth) EMU_NAME(matrix_put);
unsigned long long __tilegrade_matrix_get(unsigned int slot) EMU_NAME(matrix_get);
void __tilegrade_matrix_load(unsigned int code, const void *from, unsigned int row_elements)
    EMU_NAME(matrix_load);
void __tilegrade_matrix_store(unsigned int code, const void *to, unsigned int row_elements)
    EMU_NAME(matrix_store);
void __tilegrade_matrix_multiply(unsigned int code, unsigned int types)
    EMU_NAME(matrix_multiply) TILEGRADE_ALLOWED;
// See emu/hooks/wgmma_calls.c.
void __tilegrade_wgmma(unsigned int code, void *sums, const void *registers, unsigned long long a,
                       unsigned long long b) EMU_NAME(wgmma_multiply) TILEGRADE_ALLOWED;
void __tilegrade_matrix_rows(unsigned int code, const void *row) EMU_NAME(matrix_rows);
#undef TILEGRADE_ALLOWED

// --- Atomics -------------------------------------------------------------------------------------
// Atomic operations on A, B, C and shared memory.  The _system forms are the same here.

#define TILEGRADE_ATOMIC(name, type, runtime)                                                      \
    type name(type *address, type value) EMU_NAME(runtime);                                        \
    type name##_block(type *address, type value) EMU_NAME(runtime##_block);                        \
    type name##_system(type *address, type value) EMU_NAME(runtime);
#define TILEGRADE_ATOMIC_CAS(type, runtime)                                                        \
    type atomicCAS(type *address, type compare, type value) EMU_NAME(runtime);                     \
    type atomicCAS_block(type *address, type compare, type value) EMU_NAME(runtime##_block);       \
    type atomicCAS_system(type *address, type compare, type value) EMU_NAME(runtime);

TILEGRADE_ATOMIC(atomicAdd, int, atomic_add_32)
TILEGRADE_ATOMIC(atomicAdd, unsigned int, atomic_add_32)
TILEGRADE_ATOMIC(atomicAdd, unsigned long long, atomic_add_64)
TILEGRADE_ATOMIC(atomicAdd, float, atomic_add_f32)
TILEGRADE_ATOMIC(atomicAdd, double, atomic_add_f64)
TILEGRADE_ATOMIC(atomicSub, int, atomic_sub_32)
TILEGRADE_ATOMIC(atomicSub, unsigned int, atomic_sub_32)
TILEGRADE_ATOMIC(atomicExch, int, atomic_exch_32)
TILEGRADE_ATOMIC(atomicExch, unsigned int, atomic_exch_32)
TILEGRADE_ATOMIC(atomicExch, unsigned long long, atomic_exch_64)
TILEGRADE_ATOMIC(atomicExch, float, atomic_exch_f32)
TILEGRADE_ATOMIC(atomicMin, int, atomic_min_i32)
TILEGRADE_ATOMIC(atomicMin, unsigned int, atomic_min_u32)
TILEGRADE_ATOMIC(atomicMin, long long, atomic_min_i64)
TILEGRADE_ATOMIC(atomicMin, unsigned long long, atomic_min_u64)
TILEGRADE_ATOMIC(atomicMax, int, atomic_max_i32)
TILEGRADE_ATOMIC(atomicMax, unsigned int, atomic_max_u32)
TILEGRADE_ATOMIC(atomicMax, long long, atomic_max_i64)
TILEGRADE_ATOMIC(atomicMax, unsigned long long, atomic_max_u64)
TILEGRADE_ATOMIC(atomicAnd, int, atomic_and_32)
TILEGRADE_ATOMIC(atomicAnd, unsigned int, atomic_and_32)
TILEGRADE_ATOMIC(atomicAnd, unsigned long long, atomic_and_64)
TILEGRADE_ATOMIC(atomicOr, int, atomic_or_32)
TILEGRADE_ATOMIC(atomicOr, unsigned int, atomic_or_32)
TILEGRADE_ATOMIC(atomicOr, unsigned long long, atomic_or_64)
TILEGRADE_ATOMIC(atomicXor, int, atomic_xor_32)
TILEGRADE_ATOMIC(atomicXor, unsigned int, atomic_xor_32)
TILEGRADE_ATOMIC(atomicXor, unsigned long long, atomic_xor_64)
TILEGRADE_ATOMIC(atomicInc, unsigned int, atomic_inc_u32)
TILEGRADE_ATOMIC(atomicDec, unsigned int, atomic_dec_u32)
TILEGRADE_ATOMIC_CAS(unsigned short, atomic_cas_16)
TILEGRADE_ATOMIC_CAS(int, atomic_cas_32)
TILEGRADE_ATOMIC_CAS(unsigned int, atomic_cas_32)
TILEGRADE_ATOMIC_CAS(unsigned long long, atomic_cas_64)

#undef TILEGRADE_ATOMIC
#undef TILEGRADE_ATOMIC_CAS

#include "cuda_math.h"

#include "cuda_convert.h"

#include "cuda_rare.h"

// --- Text and memory -----------------------------------------------------------------------------
// printf, assert, the memory functions of a kernel, and the memory that a pointer points to.

// In a program they are the C library's, by name, for host and device: emu/host/host_library.c.
#ifndef TILEGRADE_PROGRAM
int printf(const char *format, ...) EMU_NAME(printf) __attribute__((format(printf, 1, 2)));
[[noreturn]] void __tilegrade_assert_failed(void) EMU_NAME(assert_failed);
#define assert(condition) ((condition) ? (void)0 : __tilegrade_assert_failed())

// These go through the machine, because the compiler does not instrument them.
void *__tilegrade_memcpy(void *to, const void *from, size_t bytes) EMU_NAME(memcpy);
void *__tilegrade_memset(void *to, int value, size_t bytes) EMU_NAME(memset);
#define memcpy  __tilegrade_memcpy
#define memmove __tilegrade_memcpy
#define memset  __tilegrade_memset
#endif

// Which memory a pointer points to.
unsigned int __isShared(const void *pointer) EMU_NAME(is_shared);
unsigned int __isGlobal(const void *pointer) EMU_NAME(is_global);

// --- Notes ---------------------------------------------------------------------------------------
// The values of variables at one access, for the text of a finding: the judge writes the call
// around an index of the kernel, in a build of its own (judge/diagnose/second_builds.c).

long long __tilegrade_note_values(int count, const long long *values) EMU_NAME(note_values);

// The value of an integer; for anything else, the smallest number.
template <class T>
EMU_PLAIN auto __tilegrade_number(const T &value, int) -> decltype(value % 1, (long long)value) {
    return (long long)value;
}
template <class T> EMU_PLAIN long long __tilegrade_number(const T &, long) {
    return -__LONG_LONG_MAX__ - 1;
}

// Notes the index and the values for this thread.  Returns the index, so that the access comes
// after the note.
template <class T, class... V>
EMU_PLAIN auto __tilegrade_note(T index, const V &...value) -> decltype(index % 1, T(index)) {
    const long long values[] = {(long long)index, __tilegrade_number(value, 0)...};
    return (T)__tilegrade_note_values((int)sizeof...(value) + 1, values);
}

#ifdef TILEGRADE_PROGRAM
#include "program_runtime.h"
#endif

#undef EMU_NAME
#undef EMU_INLINE
#undef EMU_PLAIN

// Tells the machine where a thread returned, for "these threads had returned at line L before the
// barrier"; see emu_return_at in hooks.c.  Not while the compiler evaluates a constexpr function.
extern "C" void emu_return_at(void);
#ifndef __clang__  // not for an editor
#define return                                                                                     \
    for (__builtin_is_constant_evaluated() ? (void)0 : emu_return_at();;)                          \
    return
// Inline PTX needs a GPU; the build report looks for this name.  Headers of the host have these
// words, so the inspector looks for the assembly of a program.
#ifndef TILEGRADE_PROGRAM
#define asm tilegrade_needs_gpu_inline_ptx
#define __asm__ tilegrade_needs_gpu_inline_ptx
#define __asm tilegrade_needs_gpu_inline_ptx
#endif
#endif

#endif
