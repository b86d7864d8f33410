// What box_start.c and box.c share: the box itself.
#ifndef SANDBOX_BOX_PARTS_H
#define SANDBOX_BOX_PARTS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/box.h"

struct box {
    pid_t pid;
    int pid_fd;
    int output_fd;
    struct box_limits limits;
    uint64_t deadline_ms;  // CLOCK_MONOTONIC; 0 = none
    enum box_end end;  // RUNNING until reaped; a reason to kill is set before that in killed_for
    enum box_end killed_for;
    int exit_code;
    uint64_t peak_bytes;
    char *output;  // room for limits.output_bytes and a NUL, so that reading cannot fail
    size_t output_bytes;
};

uint64_t box_now_ms(void);  // CLOCK_MONOTONIC

// Closes what is open, and notes that it is: *fd becomes -1.
void box_close_fd(int *fd);

#endif
