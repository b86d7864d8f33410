// Floating-point operations of the kernel file, and its other instructions, counted by instructions
// that the build puts into it (device/assembly/flops.c): operations are summed by source line.
//
// These are additions, subtractions, multiplications, divisions and square roots of float and
// double.  A fused multiply-add counts as two.  Conversions, comparisons, moves and the operations
// inside functions of the math library do not count.
//
// Instructions of integers are those of 32 bits without the steps of loops; nvcc removes many that
// find an element.  Others are what a GPU takes for divisions, roots, conversions, double, the math
// library, fences and shuffles.  Iterations of loops are jumps back.
//
// The kernel file adds to the sums itself, so they are as trustworthy as any other data from its
// process.
#ifndef EMU_COUNT_FLOPS_H
#define EMU_COUNT_FLOPS_H

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
#define FLOPS_SUMS     (FLOPS_LINES_MAX + 4)

extern uint64_t emu_flops[FLOPS_SUMS];

// True if the kernel file counts its operations; else all sums stay 0.
bool flops_known(void);

// Sets all sums to 0.
void flops_clear(void);

// Operations of one line, below FLOPS_LINES_MAX, since flops_clear.
uint64_t flops_of_line(uint32_t line);

// Operations of all lines since flops_clear.
static inline uint64_t flops_of_all(void) {
    return emu_flops[FLOPS_ALL];
}

#endif
