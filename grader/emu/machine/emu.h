// The CPU device: runs one kernel, compiled with instrumentation and linked into this program, with
// every thread a fiber, and reports the findings of its checkers and the counts of its counter.
//
// It runs one launch at a time; a process has one machine.  Source of the technique: measurements
// for this project; see grader/README.md, "The CPU device".
#ifndef EMU_MACHINE_EMU_H
#define EMU_MACHINE_EMU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/size.h"
#include "emu/wire/counts.h"
#include "emu/wire/finding.h"
#include "emu/wire/launch_plan.h"
#include "emu/wire/trace.h"

struct emu_machine;

// Selects checks and counts: bits of struct emu_request.observe.
#define EMU_CHECK  1u     // all checkers
#define EMU_COUNT  2u     // the counter
#define EMU_TRACE  4u     // trace one block, without checks and counts
#define EMU_SAMPLE 8u     // all checkers, for a sample of the blocks (block_order.h)
#define EMU_JUNK   16u    // fill the stacks with junk before each block
#define EMU_FIRST  32u    // trace the first block, not the second in x and y
#define EMU_LAST   64u    // … the last one
#define EMU_LANES  128u   // report operations that give LANE_JUNK_BITS
#define EMU_ZEROS  256u   // shared memory and the workspace hold zeros at first, not junk
#define EMU_OLDS   512u   // report reads of output elements not yet stored to
#define EMU_PART   1024u  // run a part of the blocks
#define EMU_INPUTS 2048u  // no checker keeps loads of inputs, nor is there a map of coverage

struct emu_request {
    struct size size;
    struct launch_plan plan;  // already validated by the caller (limits of CUDA)
    uint32_t observe;
    uint64_t sample_draw;    // EMU_SAMPLE and EMU_PART: draws the blocks
    uint32_t part_blocks;    // EMU_PART: that run
    uint32_t processes;      // processes that may share the blocks, 0 means 1; the result is the
                             // same
    uint64_t order;          // of blocks and threads: ORDER_FORWARD, ORDER_REVERSE, or another
    uint64_t access_budget;  // limit on accesses and barrier arrivals of all launches;
                             // 0 = none
    uint64_t cpu_ms_max;     // a launch without an access ends after this CPU time, and after four
                             // times as much in any case; 0 = never
    const struct arguments *arguments;
    // The contents of each array, including constant ones: copied in before the launch, and back
    // after it.  With EMU_PART they are mapped from arrays_fd: inputs as a copy, outputs shared.
    void *array[ARGUMENTS_MAX];
    int arrays_fd;
};

enum emu_end {
    EMU_FINISHED,  // every thread of every block ended
    EMU_STOPPED,   // a finding ended the launch; the last error finding says why
};

struct emu_result {
    enum emu_end end;
    struct findings findings;
    uint32_t processes;  // processes that did this work: 1 if the launch ran, or ran again, in one
    bool hands_over;     // an atomic operation has changed the workspace, or asks for a value
    uint64_t steps;      // accesses and barrier arrivals, as access_budget limits them
    struct counts counts;
    struct coverage coverage;  // with EMU_CHECK, if the launch finished
    struct trace trace;        // with EMU_TRACE: of the plan's launch that does most work
    uint32_t traced;           // the number of the traced launch
    bool is_apart;             // EMU_PART: no block needs another; else the launch did not run, or
                               // says nothing
};

// Errors: STATUS_NO_MEMORY, STATUS_SYSTEM.
enum status emu_open(const struct shared_array_table *shared, struct emu_machine **ret_machine,
                     struct error *err);
void emu_close(struct emu_machine *machine);

// From now on each finding is sent to channel_fd when it is first seen, for the request with this
// nonce (emu/wire/finding.h).  With 0, the initial value, it is not sent.
void emu_announce(struct emu_machine *machine, int channel_fd, uint64_t nonce);

// Runs the submission's LAUNCH_CONFIG for one size, as a kernel of one thread. *ret_result says how
// it ended; *ret_config holds the configuration that the submission wrote.
enum status emu_configure(struct emu_machine *machine, struct size size,
                          struct launch_config *ret_config, struct emu_result *ret_result,
                          struct error *err);

// True if LAUNCH_CONFIG may ask for this launch, by an address and a name that it wrote: 0 and ""
// mean the exercise's own kernel; any others must be the address and the name of one __global__
// function whose address the file takes, as LAUNCH does.  A GPU finds a kernel only by its name.
// So a made-up number cannot lead into the worker's own code.  Only x86-64 has this list; elsewhere
// every address is allowed.
bool emu_may_launch(uint64_t address, const char *name);

// True for the exercise's own kernel, even if LAUNCH names it.
bool emu_is_own_kernel(uint64_t address);

// The blocks of a cluster of this kernel, by its __cluster_dims__: 1 x 1 x 1 without it.  False if
// there are more than any GPU supports.
bool emu_cluster_shape(uint64_t address, uint32_t ret_shape[3]);

// Runs the launches of one product, one after the other.  A wrong kernel is a result, not an error.
// Errors: STATUS_NO_MEMORY, STATUS_SYSTEM.
enum status emu_run(struct emu_machine *machine, const struct emu_request *request,
                    struct emu_result *ret_result, struct error *err);

// In emu/host/, which is linked only if the file has a function of the host in place of a kernel.
// emu_host_open is emu_open for it.  emu_host_run calls it, with arrays of the host that hold
// request->array, and does not use the plan.
enum status emu_host_open(const struct shared_array_table *shared, struct emu_machine **ret_machine,
                          struct error *err) __attribute__((weak));
enum status emu_host_run(const struct emu_request *request, struct emu_result *ret_result,
                         struct error *err) __attribute__((weak));

#endif
