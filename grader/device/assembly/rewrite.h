// kernel.s, rewritten before it is assembled, so that the CPU device sees what a kernel does.
#ifndef DEVICE_ASSEMBLY_REWRITE_H
#define DEVICE_ASSEMBLY_REWRITE_H

#include "device/source/fault.h"

// All passes over kernel.s in the current folder.  A fault in the report is an access that no check
// would see; on processors that the passes do not know, such a kernel needs a GPU.
//
// Errors  STATUS_NO_MEMORY, STATUS_SYSTEM.
enum status rewrite_kernel(struct build_report *report, struct error *err);

#endif
