// The passes that rewrite kernel.s before it is assembled, so that the CPU device sees the actions
// of a kernel.
//
// A pass knows x86-64 as gcc and clang write it (AT&T syntax); texts for other processors are left
// unchanged (lines_are_known).
#ifndef DEVICE_ASSEMBLY_REWRITE_H
#define DEVICE_ASSEMBLY_REWRITE_H

#include "device/assembly/assembly_text.h"
#include "device/build_report.h"

// Adds up the floating-point operations of the student's functions while they run:
// emu/count/count_flops.h.  dump: as for functions_open.
void rewrite_flops(struct asm_lines *lines, const char *dump);
// Operations of float and double: "addss" 1, "mulps" 4, "vfmadd213sd" 2.
unsigned flops_of(const struct asm_line *line);

// Finds a loop in which a thread only polls for another thread's store, by an atomic operation or a
// volatile load.  Returns its line in the student's file; 0 if there is none.
int waits_find(const struct asm_lines *lines);

// Adds a report for each access that is not proved to be reported.  Returns the line of an access
// that cannot be reported; -1 if there is none.
int rewrite_unseen(struct asm_lines *lines);

// The line of a struct that rewrite_unseen would report, in assembly of aarch64; -1 if there is
// none.
int rewrite_unseen_copy(const struct asm_lines *lines);

// Puts each __shared__ array where kernel_memory.h wants it.  Of any processor; is_x86: of x86-64.
void rewrite_shared(struct asm_lines *lines, bool is_x86);

// Lists the kernels that have __cluster_dims__.  Of any processor; is_x86: of x86-64.
void rewrite_clusters(struct asm_lines *lines, bool is_x86);

// All passes over kernel.s in the current folder.  A fault in the report is an access that no check
// would see; on processors that the passes do not know, such a kernel needs a GPU.
//
// Errors  STATUS_SYSTEM.
enum status rewrite_kernel(struct build_report *report, struct error *err);

// The passes for kernel.s of a whole program: calls by pointer stay, and no access is refused.
// waits_line of the report is the line of a loop that waits.
enum status rewrite_program(struct build_report *report, struct error *err);

#endif
