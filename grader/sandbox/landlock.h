// Landlock: which files a program may touch, enforced by the kernel for any user.
// Source: Linux kernel documentation, userspace-api/landlock.
#ifndef SANDBOX_LANDLOCK_H
#define SANDBOX_LANDLOCK_H

#include "sandbox/sandbox.h"

// The version that this kernel offers; 0 with errno if it offers none.
int landlock_version(void);

// Makes the rules for one program: folder is its own (NULL = none), readable (NULL-terminated, NULL
// = none) is what it may read and execute besides what its profile allows.  Paths that do not exist
// are skipped.
// Errors: STATUS_SYSTEM.  Owns: the caller closes *ret_fd; the child applies it with
// landlock_apply.
enum status landlock_rules(int version, enum box_profile profile, const char *folder,
                           const char *const *readable, int *ret_fd, struct error *err);

// What PROFILE_TOOL may read of the system, NULL-terminated: only compilers, linkers and their
// libraries, not even /usr/include.
const char *const *landlock_tool_paths(void);

// For the child, before landlock_apply: lets it name its threads, as NVIDIA's driver must (cuInit
// fails if it cannot write /proc/self/task/N/comm).  Only the child itself can add this rule,
// because /proc/self is a different folder for its parent.  Async-signal-safe; -1 with errno.
// Source: https://github.com/NVIDIA/OpenShell/issues/1486
int landlock_allow_thread_names(int fd, int version);

// For the child, with no_new_privs set.  Async-signal-safe; -1 with errno.
int landlock_apply(int fd);

#endif
