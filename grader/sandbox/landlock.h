// Landlock: which files a program may touch, enforced by the kernel for any user.
// Source: Linux kernel documentation, userspace-api/landlock.
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "sandbox/sandbox.h"

// The version that this kernel offers; 0 with errno where it offers none.
int landlock_version(void);

// Makes the rules for one program: folder is its own (NULL = none), readable (NULL-terminated, NULL
// = none) what it may read and execute beside what its profile gives.  Paths that do not exist are
// left out.
// Errors: STATUS_SYSTEM.  Owns: the caller closes *ret_fd; the child applies it with
// landlock_apply.
enum status landlock_rules(int version, enum box_profile profile, const char *folder,
                           const char *const *readable, int *ret_fd, struct error *err);

// What PROFILE_TOOL reads of the system, NULL-terminated: compilers, linkers and their libraries;
// neither /usr/include nor anything else.
const char *const *landlock_tool_paths(void);

// In the child, before landlock_apply: it may name its threads, as NVIDIA's driver must be able to
// (cuInit writes to /proc/self/task/N/comm, or fails).  Only the child itself can make this rule,
// because /proc/self is another folder for its parent.  Async-signal-safe; -1 with errno.
// Source: https://github.com/NVIDIA/OpenShell/issues/1486
int landlock_allow_thread_names(int fd, int version);

// In the child, with no_new_privs set.  Async-signal-safe; -1 with errno.
int landlock_apply(int fd);

#endif
