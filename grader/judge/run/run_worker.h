// One worker process with its channel: started in the sandbox, sent requests, replaced when it
// ends.  Also the limits after which a kernel counts as not ending.
//
// A loop with loads, stores or barriers ends at a limit on their number, which is the same on every
// machine.  Other loops end at a limit of processor time; it is scaled by the slowness of the
// machine, and time of other programs does not count.
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
    uint64_t accesses;     // loads, stores and barrier arrivals; only on the CPU device
    uint64_t time_ms;      // CPU: processor time without accesses; GPU: from launch to end
    uint64_t ordinary_ms;  // time_ms for an ordinary machine; a slow machine gets more
    bool is_rest;          // the rest that earlier launches have left of a kernel's or grade's time
};

// The limits of one launch.
//
// patience  time left for this kernel and this grade; NULL: no limit but the launch's.
struct run_limits run_limits_of(enum device_kind device, const struct signature *signature,
                                struct size size, const struct judge_patience *patience);

// Begins a submission (measures the machine's slowness), and each of its kernels.
void run_patience_begin(struct judge_patience *patience);
void run_patience_kernel(struct judge_patience *patience);

// Notes the time that a launch of a kernel took; NULL if that kernel is not judged.
void run_patience_spend(struct judge_patience *patience, enum device_kind device, uint64_t ms);

// The time that this many accesses take on an ordinary machine.
uint64_t run_accesses_ms(uint64_t accesses);

// Adds the limit of a launch at this size to the text.
void run_limits_write(enum device_kind device, struct size size, const struct run_limits *limits,
                      char *text, size_t text_bytes);

struct box;

struct run_worker {
    const struct run_program *program;  // borrowed
    struct session session;
    struct box *box;         // NULL while no worker runs
    bool other_pattern;      // runs build_other_worker_command
    struct findings proved;  // races that also occur if memory that is not set holds zeros
};

// How a launch ended, seen by the judge.  Only FATE_ANSWERED has an answer.
enum run_fate {
    FATE_ANSWERED,
    FATE_LATE,       // no answer by the deadline, twice
    FATE_FLOODED,    // printed more than a worker may
    FATE_CPU_LIMIT,  // used up the processor time of a worker
    FATE_SIGNALLED,  // ended twice by a signal that a kernel can cause; see signal
    FATE_EXITED,     // ended by itself without an answer
    FATE_MALFORMED,  // gave an invalid answer
};

struct run_reply {
    enum run_fate fate;
    int signal;
    struct answer answer;
    char output[OUTPUT_SHOWN_MAX];  // the kernel's output in this launch
    size_t printed;                 // bytes that the kernel printed
};

// Prepares; no process is started before the first launch.
void run_worker_init(struct run_worker *worker, const struct run_program *program);

// Ends the process, if one runs; the next launch starts another.
void run_worker_stop(struct run_worker *worker);

// The lease that a worker of a program needs, and takes when it is started; the caller gives it
// back once all workers are stopped.  NULL on the CPU device.
struct gpu_lease *run_worker_lease(const struct run_program *program);

// Does one launch, on a GPU under its lock.  If a worker ends or is late without an answer, a new
// process makes a second try, because a busy machine can cause this with any kernel: only a
// repeated failure is reported.
//
// array    the contents of the request's arrays before it (session_launch)
// Returns  STATUS_OK with *ret_reply, even if the kernel crashed the worker.
// Errors   STATUS_SYSTEM, STATUS_UNAVAILABLE: no worker could be started, it reports a failure of
//          ours, or it was killed from outside (as on a machine that is short of memory).
enum status run_worker_launch(struct run_worker *worker, const struct request *request,
                              const void *const array[ARGUMENTS_MAX], struct run_reply *ret_reply,
                              struct error *err);

// Asks the CPU device for the launch configuration of a size, and launches nothing.  *ret_answered
// is false if the worker gave no answer, which a configuration can cause.
enum status run_worker_plan(struct run_worker *worker, struct size size, bool *ret_answered,
                            struct answer *ret_answer, struct error *err);

// Asks for one part of a timed launch (device/channel/protocol.h).  The caller holds the lock of
// the GPU, for all parts.  There is no second try, because the earlier parts would be missing.  A
// worker that gave no answer, or whose launch did not end well, is gone.
// Errors   those of run_worker_launch.
enum status run_worker_timed(struct run_worker *worker, const struct request *request,
                             struct run_reply *ret_reply, struct error *err);

// Prepares a worker of a GPU for unrelated launches: loads its module again and frees the matrices.
// If no worker runs, or it fails, the next launch starts one.
enum status run_worker_renew(struct run_worker *worker, struct error *err);

// Runs the simplest kernel on the device in a worker of its own.  Errors: STATUS_SYSTEM if that
// does not work either; then the failure of a student's worker is no evidence against the kernel.
enum status run_worker_control(const struct judge_machine *machine, enum device_kind kind,
                               struct error *err);

// Copies the first OUTPUT_LINES_MAX lines of text, as far as they fit; a line "…" follows if
// something was left out.  Control characters are removed when the text is written for people.
void run_output_cut(const char *text, char shown[OUTPUT_SHOWN_MAX]);

#endif
