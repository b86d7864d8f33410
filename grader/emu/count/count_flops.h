// Floating-point operations of the kernel file, and its other instructions, counted by instructions
// that the build puts into it (device/assembly/rewrite_flops.c): operations are summed by source
// line.
//
// These are additions, subtractions, multiplications, divisions and square roots of float and
// double.  A fused multiply-add counts as two.  Conversions, comparisons, moves and the operations
// inside functions of the math library do not count.
//
// Integer instructions are those of 32 bits without the steps of loops; nvcc removes many that
// compute the address of an element.  Other instructions are those that a GPU executes for
// divisions, roots, conversions, double, the math library, fences and shuffles.  Iterations of
// loops are backward jumps.
//
// The hooks add the time that a thread idles by its own action: it sleeps, waits for its fence, or
// polls an mbarrier.
//
// The kernel file adds to the sums itself, so they are as trustworthy as any other data from its
// process.
#ifndef EMU_COUNT_COUNT_FLOPS_H
#define EMU_COUNT_COUNT_FLOPS_H

#include <stdbool.h>
#include <stdint.h>

// Lines with a sum of their own; later lines, and code whose line is not known, use number 0.
#define FLOPS_LINES_MAX 4096

// The names that the rewritten kernel.s uses: the sums, followed by the sum of all lines and those
// of instructions, and a symbol that marks it as rewritten.
#define FLOPS_SYMBOL       "emu_flops"
#define FLOPS_KNOWN_SYMBOL "emu_flops_known"

#define FLOPS_ALL      FLOPS_LINES_MAX
#define FLOPS_INTEGERS (FLOPS_LINES_MAX + 1)
#define FLOPS_OTHERS   (FLOPS_LINES_MAX + 2)
#define FLOPS_LOOPS    (FLOPS_LINES_MAX + 3)
#define FLOPS_IDLE     (FLOPS_LINES_MAX + 4)  // nanoseconds
#define FLOPS_SUMS     (FLOPS_LINES_MAX + 5)

#define OTHERS_SLEEP      1000u     // a __nanosleep that is not a pause between two polls
#define IDLE_SLEEP_NS_MAX 1000000u  // __nanosleep takes no longer (Programming Guide)
// Measured on an H200 in the kernels of lessons 100 and 110: 163 to 339, 9 to 17 and 19.
#define IDLE_FENCE_NS 150u  // __threadfence
#define IDLE_ASK_NS   10u   // mbarrier.try_wait and test_wait
#define IDLE_PROXY_NS 15u   // fence.proxy.async

extern uint64_t emu_flops[FLOPS_SUMS];

// Operations of all lines of this launch.
static inline uint64_t flops_of_all(void) {
    return emu_flops[FLOPS_ALL];
}

#endif
