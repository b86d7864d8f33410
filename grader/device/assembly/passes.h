// The passes over kernel.s, each in a file of its own.
//
// A pass knows x86-64 as gcc and clang write it (AT&T syntax); texts for other processors are left
// as they are (lines_are_known).
#ifndef DEVICE_ASSEMBLY_PASSES_H
#define DEVICE_ASSEMBLY_PASSES_H

#include "device/assembly/lines.h"

// Adds up the floating-point operations of the student's functions while they run:
// emu/count/flops.h.
enum status rewrite_flops(struct lines *lines, struct error *err);

// Reports the structs that a call takes straight from memory, or returns straight into it.
enum status rewrite_copies(struct lines *lines, struct error *err);

// Passes over the constructors of __shared__ objects.
enum status rewrite_guards(struct lines *lines, struct error *err);

// The line of a struct that rewrite_copies would report, in assembly of aarch64; -1 if there is
// none.
int rewrite_unseen_copy(const struct lines *lines);

// Lists the functions that may be called by a pointer: emu/hooks/indirect_x86_64.S.
enum status rewrite_calls(struct lines *lines, struct error *err);

#endif
