// Reads gcc's dump of a pass, written with -lineno, line by line.
//
// Arrays of a thread that cannot be in registers: gcc's dump of the instrumenting pass, in SSA
// form.  Registers have no addresses.  nvcc keeps an array in them if each index is a constant
// after loops are unrolled, and if all arrays fit; else they are in local memory, which is far
// slower.
#ifndef DEVICE_INSPECT_LOCAL_ARRAYS_H
#define DEVICE_INSPECT_LOCAL_ARRAYS_H

#include <stdbool.h>

#include "device/build_report.h"

#define DUMP_LINE_BYTES 1024  // longer lines are cut

// Reads a dump of `-fdump-tree-tsan-lineno` and its source file: fills report->local_bytes and
// report->local_name; ret_most is the symbol of the kernel that has local_bytes, "" if it is not a
// kernel's.
//
// An index counts as known at run time only if it comes from a parameter of the kernel, from the
// place of the thread, from memory, or from a loop that ends by one of these.  Parameters of a
// helper function are unknown, and do not count.
void locals_find(const char *dump, const char *source, struct build_report *report,
                 char ret_most[DUMP_LINE_BYTES]);

#endif
