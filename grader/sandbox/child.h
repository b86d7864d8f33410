// The child between fork and exec: isolates itself, then becomes the program.
//
// Landlock restricts the files that a program may touch; the kernel enforces this for any user.  A
// separate root: in its mount namespace a program sees only the files passed to it, at their usual
// paths.
//
// Source: Linux kernel documentation, userspace-api/landlock; Linux manual pages open_tree(2),
// move_mount(2), pivot_root(2). The order of the last steps follows pivot_root(2), NOTES.
#ifndef SANDBOX_CHILD_H
#define SANDBOX_CHILD_H

#include "sandbox/sandbox.h"

// The version that this kernel offers; 0 with errno if it offers none.
int landlock_version(void);

// Makes the rules for one program: folder is its own (NULL = none), readable (NULL-terminated, NULL
// = none) has the paths that it may read and execute in addition to its profile.  Paths that do not
// exist are skipped.
// Errors: STATUS_SYSTEM.  Owns: the caller closes *ret_fd; the child applies it with
// landlock_apply.
enum status landlock_rules(int version, enum box_profile profile, const char *folder,
                           const char *const *readable, int *ret_fd, struct error *err);

#define ROOT_ENTRIES_MAX 40

// One path of the new root, absolute.
struct root_entry {
    const char *path;
    char link[32];  // "usr/lib" if the path is a symbolic link of the system, else ""
    bool folder;
    bool writable;
};

// Made before the fork, because the child must not allocate memory.
struct root_plan {
    int count;
    int trouble;  // errno of a path that could not be examined; 0: none
    struct root_entry entry[ROOT_ENTRIES_MAX];
};

// Lists the paths that a program of this profile sees: those that it may read (see landlock_rules),
// and its folder.  Paths that do not exist are skipped.  Strings are borrowed.
void root_list(enum box_profile profile, const char *folder, const char *const *readable,
               struct root_plan *ret_plan);

// Everything that the child needs.  It is made before the fork, because the child must not allocate
// memory.
struct child_plan {
    const char *path;  // of the program
    char *const *argument;
    char *const *environment;
    const char *folder;
    const int *descriptor;
    int descriptor_count;
    const struct box_limits *limits;
    int output_fd;        // becomes stdout and stderr
    bool shares_streams;  // … which stay the parent's, and so does stdin
    int report_fd;        // close-on-exec; receives a struct child_failure if there is no exec
    int report_read_fd;   // the parent's end of it, closed in the child

    // Layers of the sandbox; 0, -1 or NULL if a layer is off.
    unsigned namespaces;           // CLONE_NEW flags
    const struct root_plan *root;  // with CLONE_NEWNS
    uid_t uid;                     // also its group
    int landlock_fd;
    int landlock_thread_names;  // version of Landlock if the program may name its threads; else 0
    const struct sock_fprog *filter;

    // For a probe: the child runs this instead of the program and reports the return value.
    int (*attempt)(const struct child_plan *plan);
    const char *const *needed;  // for probes: what must be readable and executable
};

// What failed in the child, as bytes on report_fd; or, as "attempt", the result of a probe.
struct child_failure {
    int number;     // errno
    char what[32];  // "exec", "working folder" …
};
#define CHILD_ATTEMPT "attempt"

// The address of the path that the child executes, which is the same in every child.
const char *child_exec_path(void);

// Forks into the namespaces of the plan; the child becomes the program and never returns.  Returns
// its process number, -1 with errno.
pid_t child_fork(const struct child_plan *plan);

#endif
