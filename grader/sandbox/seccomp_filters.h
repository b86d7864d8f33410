// The system calls that each kind of program may make.
#ifndef SANDBOX_SECCOMP_FILTERS_H
#define SANDBOX_SECCOMP_FILTERS_H

#include "sandbox/sandbox.h"

// Makes the filter of a profile, an allow-list for PROFILE_KERNEL and a deny-list for the others.
// exec_path is the address at which the child keeps the path of its program: the only one that
// PROFILE_KERNEL may execute.  Errors: STATUS_SYSTEM, STATUS_NO_MEMORY.
// Owns: the caller frees ret_filter->filter.
enum status seccomp_filter_make(enum box_profile profile, const char *exec_path,
                                struct sock_fprog *ret_filter, struct error *err);

#endif
