// Floating-point operations of the kernel file, counted by instructions that the build puts into
// it (device/assembly/flops.c): one sum for each source line.
//
// Counted are additions, subtractions, multiplications, divisions and square roots of float and
// double, and a fused multiply-add as two; not conversions, comparisons, moves, or what a function
// of the mathematical library does inside.  The kernel file adds to the sums itself, so they are
// as trustworthy as whatever else its process says.
#ifndef EMU_COUNT_FLOPS_H
#define EMU_COUNT_FLOPS_H

#include <stdbool.h>
#include <stdint.h>

// Lines told apart; later ones, and code whose line is not known, go to number 0.
#define FLOPS_LINES_MAX 4096

// The names that the rewritten kernel.s uses: the sums, with that of all lines behind them, and a
// symbol that says that it has been rewritten.
#define FLOPS_SYMBOL       "emu_flops"
#define FLOPS_KNOWN_SYMBOL "emu_flops_known"

extern uint64_t emu_flops[FLOPS_LINES_MAX + 1];

// True where the kernel file counts its operations; else all sums stay 0.
bool flops_known(void);

// All sums start from 0.
void flops_clear(void);

// Operations of one line, below FLOPS_LINES_MAX, since then.
uint64_t flops_of_line(uint32_t line);

// Operations of all lines, since then.
static inline uint64_t flops_of_all(void) {
    return emu_flops[FLOPS_LINES_MAX];
}

#endif
