// How much a kernel may do before it counts as one that does not end.
//
// The number of its loads, stores and barriers ends a loop that has some, and is the same on every
// machine.  Processor time ends a loop without any; it is scaled by how slow the machine is, and
// time in which another program runs does not count.  What earlier launches have spent is their
// number too.
//
// Source  grader/decisions/0027-limits-of-time.md, 0064-budgets-decide.md
#ifndef JUDGE_RUN_LIMITS_H
#define JUDGE_RUN_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "device/device.h"
#include "exercise/signature.h"
#include "judge/model/options.h"

struct run_limits {
    uint64_t accesses;     // loads, stores and barrier arrivals; CPU device alone
    uint64_t time_ms;      // CPU device: processor time without any; GPU: from a launch to its end
    uint64_t ordinary_ms;  // … on an ordinary machine: the time is longer on a slow one
    bool is_rest;  // this is what earlier launches have left of a kernel's or a grade's time
};

// The limits of one launch.
//
// patience  what is left for this kernel and this grade; NULL: no limit but the launch's.
struct run_limits run_limits_of(enum device_kind device, const struct signature *signature,
                                struct size size, const struct judge_patience *patience);

// Begins a submission (measures how slow the machine is), and each of its kernels.
void run_patience_begin(struct judge_patience *patience);
void run_patience_kernel(struct judge_patience *patience);

// Notes the time that a launch of a kernel took; NULL: of no kernel that is judged.
void run_patience_spend(struct judge_patience *patience, enum device_kind device, uint64_t ms);

// The time that so many accesses take on an ordinary machine.
uint64_t run_accesses_ms(uint64_t accesses);

// Adds to text what a launch at this size was allowed.
void run_limits_write(enum device_kind device, struct size size, const struct run_limits *limits,
                      char *text, size_t text_bytes);

#endif
