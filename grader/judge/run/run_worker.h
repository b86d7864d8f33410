// One worker process with its channel: started in the sandbox, asked, replaced when it ends. How
// much a kernel may do in it before it counts as one that does not end.
//
// What ends a loop with loads, stores or barriers is their number, which is the same on every
// machine. Processor time ends the others; it is scaled by how slow the machine is, and time in
// which another program runs does not count.
//
// Source  grader/decisions/0027-limits-of-time.md
#ifndef JUDGE_RUN_RUN_WORKER_H
#define JUDGE_RUN_RUN_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/size.h"
#include "device/channel/session.h"
#include "device/device.h"
#include "exercise/signature.h"
#include "judge/compile/program_build.h"
#include "judge/model/judge_options.h"

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

// Notes the time that a launch of a kernel took; NULL if that kernel is not judged.
void run_patience_spend(struct judge_patience *patience, enum device_kind device, uint64_t ms);

// The time that this many accesses take on an ordinary machine.
uint64_t run_accesses_ms(uint64_t accesses);

// Adds to text what a launch at this size was allowed.
void run_limits_write(enum device_kind device, struct size size, const struct run_limits *limits,
                      char *text, size_t text_bytes);

struct box;

struct run_worker {
    const struct run_program *program;  // borrowed
    struct session session;
    struct box *box;  // NULL while no worker runs
};

// How a launch ended, seen by the judge.  Only FATE_ANSWERED has an answer.
enum run_fate {
    FATE_ANSWERED,
    FATE_LATE,       // no answer by the deadline, twice
    FATE_FLOODED,    // printed more than a worker may
    FATE_CPU_LIMIT,  // used up the processor time of a worker
    FATE_SIGNALLED,  // ended by a signal that a kernel can cause, twice; signal says which
    FATE_EXITED,     // ended by itself without an answer
    FATE_MALFORMED,  // gave an answer that cannot be one
};

struct run_reply {
    enum run_fate fate;
    int signal;
    struct answer answer;
    char output[OUTPUT_SHOWN_MAX];  // what the kernel printed in this launch …
    size_t printed;                 // … and how many bytes that were
};

// Prepares; no process is started before the first launch.
void run_worker_init(struct run_worker *worker, const struct run_program *program);

// Ends the process, if one runs; the next launch starts another.
void run_worker_stop(struct run_worker *worker);

// The lease that a worker of a program needs, and takes when it is started; the caller gives it
// back once all workers are stopped.  NULL on the CPU device.
struct gpu_lease *run_worker_lease(const struct run_program *program);

// Does one launch, on a GPU under its lock.  A worker that ends or is late without an answer gets a
// second try in a new process, because a busy machine can do that to any kernel: only what happens
// twice is reported.
//
// array    what the arrays of the request hold before it (session_launch)
// Returns  STATUS_OK with *ret_reply, even if the kernel brought the worker down.
// Errors   STATUS_SYSTEM, STATUS_UNAVAILABLE: no worker could be started, it
//          reports trouble of ours, or it was killed from outside (a machine short of memory does
//          that).
enum status run_worker_launch(struct run_worker *worker, const struct request *request,
                              const void *const array[ARGUMENTS_MAX], struct run_reply *ret_reply,
                              struct error *err);

// Asks for one part of a timed launch (device/channel/protocol.h).  The caller holds the lock of
// the GPU, for all parts.  There is no second try: the parts before it would be missing.  A worker
// that gave no answer, or whose launch did not end well, is gone.
// Errors   those of run_worker_launch.
enum status run_worker_timed(struct run_worker *worker, const struct request *request,
                             struct run_reply *ret_reply, struct error *err);

// Lets a worker of a GPU go on with launches that have nothing to do with those before: loads its
// module again and frees the matrices.  If no worker runs, or it fails, the next launch starts one.
enum status run_worker_renew(struct run_worker *worker, struct error *err);

// Runs the simplest kernel on the device in a worker of its own.  Errors: STATUS_SYSTEM where that
// does not work either, so that what a worker of a student did says nothing about the kernel.
enum status run_worker_control(const struct judge_machine *machine, enum device_kind kind,
                               struct error *err);

// Copies the first OUTPUT_LINES_MAX lines of text, as far as they fit; a line "…" follows if
// something was left out.  Control characters go when it is written for people.
void run_output_cut(const char *text, char shown[OUTPUT_SHOWN_MAX]);

#endif
