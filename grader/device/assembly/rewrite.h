// kernel.s, rewritten before it is assembled, so that the CPU device sees what a kernel does.
#ifndef DEVICE_ASSEMBLY_REWRITE_H
#define DEVICE_ASSEMBLY_REWRITE_H

#include "base/error.h"
#include "base/translate.h"

#define REWRITE_UNSEEN_TEXT                                                                        \
    N_("passes or returns a struct straight from or to memory, which cannot be checked on this "   \
       "processor: copy it to a local variable first, or use a GPU")

// All passes over kernel.s in the current folder.  Errors: STATUS_NO_MEMORY, STATUS_SYSTEM.
//
// Returns  in *ret_unseen a line (0 if unknown) with accesses that no check would see, on
//          processors that the passes do not know; -1 if there is none.
enum status rewrite_kernel(int *ret_unseen, struct error *err);

#endif
