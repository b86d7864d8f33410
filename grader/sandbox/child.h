// The child between fork and exec: isolates itself, then becomes the program.
#ifndef SANDBOX_CHILD_H
#define SANDBOX_CHILD_H

#include "sandbox/root.h"
#include "sandbox/sandbox.h"

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
    int output_fd;       // becomes stdout and stderr
    int report_fd;       // close-on-exec; receives a struct child_failure if there is no exec
    int report_read_fd;  // the parent's end of it, closed in the child

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
