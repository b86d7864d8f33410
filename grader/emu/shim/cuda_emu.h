// CUDA for the CPU device: force-included before a submission, so that g++ compiles the file as
// C++.
//
// Everything that a kernel may use is declared here; the usual headers are empty stand-ins
// (grader/include/standin).  Calls whose source line matters are plain functions of the runtime,
// because an inlined wrapper would hide the line.
#ifndef EMU_SHIM_CUDA_EMU_H
#define EMU_SHIM_CUDA_EMU_H

#define __TILEGRADE_EMU__ 1
#define __CUDACC__        1
// The oldest toolkit with all that is declared here.
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

// The launch bounds of a kernel, as that many nops before its label, which the inspector counts,
// and one more after it than the blocks of an SM that it promises.  __maxnreg__ has 64 more than
// that.  No other attribute of a function accepts any constant, including a template's, and shows
// in kernel.s.
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

#define __managed__ tilegrade_needs_gpu_managed_memory

// A function of the runtime, by the name that the linker sees.
#define EMU_NAME(name) __asm__("emu_" #name)
// A helper that disappears by inlining; helpers of students stay functions.
#define EMU_PLAIN  inline __attribute__((always_inline, artificial))
#define EMU_INLINE constexpr EMU_PLAIN

#include "cuda_clusters.h"

#include "cuda_types.h"

#include "cuda_threads.h"

#include "cuda_warp.h"

#include "cuda_matrix.h"

#include "cuda_atomic.h"

#include "cuda_math.h"

#include "cuda_integer.h"

#include "cuda_convert.h"

#include "cuda_rounding.h"

#include "cuda_rare.h"

#include "cuda_text.h"

#include "cuda_notes.h"

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
// Inline PTX needs a GPU; the build report looks for this name.
#define asm tilegrade_needs_gpu_inline_ptx
#define __asm__ tilegrade_needs_gpu_inline_ptx
#define __asm tilegrade_needs_gpu_inline_ptx
#endif

#endif
