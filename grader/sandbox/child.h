// The child between fork and exec: shuts itself in, then becomes the program.
#ifndef SANDBOX_CHILD_H
#define SANDBOX_CHILD_H

#include "sandbox/box.h"

// Everything the child needs, made before the fork, because after it nothing may allocate memory.
struct child_plan {
    const char *path;  // of the program
    char *const *argument;
    char *const *environment;
    const char *folder;
    const int *descriptor;
    int descriptor_count;
    const struct box_limits *limits;
    int output_fd;  // becomes stdout and stderr
    int report_fd;  // close-on-exec; where a struct child_failure goes if there is no exec
    pid_t parent;
};

// What went wrong in the child, as bytes on report_fd.
struct child_failure {
    int number;     // errno
    char what[32];  // "exec", "working folder" …
};

// Never returns.  Calls only functions that are async-signal-safe.
void child_become(const struct child_plan *plan) __attribute__((noreturn));

#endif
