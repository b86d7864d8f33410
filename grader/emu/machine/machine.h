// The inside of the CPU device, shared by its parts; others use emu.h.
//
// The kernel calls back into the machine (hooks.c, collectives.c, atomics.c, text.c) without an
// argument of ours, so the machine is one object with static storage: the exception to "no globals"
// that STYLE allows to the running fiber.
#ifndef EMU_MACHINE_MACHINE_H
#define EMU_MACHINE_MACHINE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/check/align.h"
#include "emu/check/async.h"
#include "emu/check/barrier.h"
#include "emu/count/count.h"
#include "emu/check/coverage_map.h"
#include "emu/machine/emu.h"
#include "emu/memory/events.h"
#include "emu/machine/fiber.h"
#include "emu/memory/known.h"
#include "emu/memory/memory.h"
#include "emu/check/race.h"
#include "emu/memory/sites.h"
#include "emu/check/uninit.h"
#include "emu/check/workspace.h"

#define WARPS_MAX   (THREADS_MAX / WARP_LANES)
#define CALLERS_MAX 16      // deeper calls share places; a power of two
#define NULL_BYTES  65536u  // addresses below: an index into an array that starts at null

enum thread_state {
    THREAD_READY,       // runs, or could
    THREAD_AT_BARRIER,  // waits in __syncthreads
    THREAD_AT_WARP,     // waits for other lanes in __syncwarp, a shuffle, a vote
    THREAD_AT_MASK,     // waits in __activemask until nobody of the block can run
    THREAD_EXITED,
};

// What a lane brings to a collective of its warp, and what it gets.
struct lane_call {
    uint32_t operation;  // enum warp_operation
    uint32_t mask;
    uint64_t value;
    uint32_t source;  // shuffles: lane, delta or lane mask
    uint32_t width;   // shuffles: 1, 2, 4, 8, 16 or 32
    uint64_t result;
    uint32_t present;  // the lanes that took part
};

struct thread {
    struct fiber fiber;
    uint64_t pc;        // where it waits, or returned (0 if unknown)
    uint32_t index[3];  // threadIdx
    struct lane_call call;
    uint64_t stack_low;            // the lowest address of its stack
    uint32_t depth;                // functions of the kernel file that it is in
    uint64_t caller[CALLERS_MAX];  // where they were called, a ring by depth
};

// The threads that wait at a barrier of the block.
struct meeting {
    uint64_t pc;  // of the one that came last
    bool mixed;   // not all at one place
    uint32_t arrived;
    uint32_t predicates;  // of those that arrived: how many were not 0
    uint32_t sum;         // the same of the last meeting
};

struct warp {
    uint32_t alive;    // lanes that have not returned
    uint32_t waiting;  // lanes in THREAD_AT_WARP
};

struct emu_machine {
    // The hot part.
    int64_t accesses_left;  // of this time slice, after the next one; negative: it is over
    struct known known;
    struct memory memory;
    struct coverage_map coverage;
    uint32_t current;  // linear index of the running thread
    bool in_kernel;    // a thread runs (not the scheduler)
    bool switched;     // more than one thread ran in this time slice
    bool checks;
    bool counts;
    uint8_t state[THREADS_MAX];  // enum thread_state
    struct thread thread[THREADS_MAX];
    struct warp warp[WARPS_MAX];

    // The block.
    uint32_t alive;
    struct meeting meeting;
    struct block_place place;
    uint64_t return_pc;    // of a `return` not yet followed by the function's end
    uint64_t returned_pc;  // of the function that ended last

    // The launch.
    struct launch_shape shape;
    struct emu_result result;
    uint64_t budget;  // accesses left for the launch, without those of this time slice
    uint64_t slice;   // length of this time slice
    uint64_t clock;   // accesses of earlier time slices
    uint32_t printed_bytes;
    const void *kernel_argument[GLOBAL_ARRAY_COUNT];  // NULL: no workspace
    uint64_t kernel_address;                          // 0: the exercise's own kernel
    int32_t kernel_size[3];
    bool configuring;                 // runs LAUNCH_CONFIG, not the kernel
    uint64_t block_first, block_end;  // the blocks that this process runs, by their linear index
    // Where several processes run the launch: not 0 as soon as one of them was not clean
    // (blocks.h). NULL where this process runs it alone.
    uint32_t *given_up;
    struct tracing *tracing;  // of a launch that is written down; else NULL
    const float *c_before;    // C as it was when the launch began, borrowed

    // Ends of a launch that are not the kernel's own.
    sigjmp_buf stop;            // the scheduler, to which a stop jumps
    volatile int time_over;     // set by the timer's handler
    volatile uint64_t loop_pc;  // the lowest place seen since then, UINT64_MAX if none
    volatile uint64_t
        call_pc;  // while a thread is in our code that may crash by its fault (printf)

    // Long-lived.
    bool open;
    struct fiber scheduler;
    struct fiber_stacks stacks;
    struct sites *sites;        // places, for the checkers
    struct sites *count_sites;  // places and callers, for the counter
    struct race *race;
    struct uninit *uninit;
    struct async *async;
    struct workspace workspace;
    struct count *count;
};

extern struct emu_machine machine_state;

// The exercise's kernel and its LAUNCH_CONFIG, by the names that the link gives them.
extern void emu_kernel(const void *a, const void *b, const void *c, int m, int n, int k)
    __attribute__((weak));  // so that its address comes from a table: Arm's ld has no other way
extern void emu_launch_config(const void *launch, int m, int n, int k);

// The kernel's view of where it is; see shim/cuda_threads.h.
struct machine_index {
    uint32_t x, y, z;
};
extern struct machine_index emu_thread_index, emu_block_index, emu_block_extent, emu_grid_extent;

// Runs the blocks of this process, in the launch that is set up (schedule.c).  Comes back by itself
// or through machine_state.stop.
void schedule_launch(struct emu_machine *machine);

// Lets the other threads run until this one is READY again and its turn comes.
void schedule_away(struct emu_machine *machine);

// The running thread waits in a __syncthreads() at pc.  Returns how many threads brought a
// predicate.
uint32_t schedule_barrier(struct emu_machine *machine, uint64_t pc, bool predicate);
// The same without a predicate, for a thread whose registers are saved on its stack already
// (fiber_<architecture>.S).  Returns the stack pointer of who goes on.
void *schedule_meet(uint64_t pc, void *stack_pointer);

// One step of the budget: call it where a thread could loop for ever.  pc is the place in the
// kernel.
void schedule_slice_over(struct emu_machine *machine, uint64_t pc);
static inline bool schedule_step_over(struct emu_machine *machine) {
    return __builtin_expect(--machine->accesses_left < 0, 0);
}
static inline void schedule_step(struct emu_machine *machine, uint64_t pc) {
    if (schedule_step_over(machine)) {
        schedule_slice_over(machine, pc);
    }
}

// Lanes of a warp that returned may complete what others wait for (collectives.c).
void collectives_exit(struct emu_machine *machine, uint32_t warp);
// Releases the lanes that wait in __activemask; true where there were any.
bool collectives_masks(struct emu_machine *machine);
// Nobody can run, nobody is at a barrier, and lanes wait for each other: reports it.
void collectives_deadlock(struct emu_machine *machine);

// One load, store or atomic operation, before it happens (hooks.c).  Ends the launch where it must
// not happen. by_size: the type asks for alignment to `bytes`.
void machine_touch(uint64_t address, uint32_t bytes, enum access_kind kind, uint64_t pc,
                   bool by_size);

// Ends the launch from inside a thread.
_Noreturn void machine_stop(struct emu_machine *machine);
// A finding about the running thread at pc, to fill in further.
struct finding machine_finding(const struct emu_machine *machine, enum finding_kind kind,
                               uint64_t pc);
// What the running thread does next depends on the blocks before its own (the clock), or shows in
// which order they ran (printf): where several processes run the launch, gives that up.
static inline void machine_need_order(struct emu_machine *machine) {
    if (machine->given_up) {
        machine_stop(machine);
    }
}
// Sets a product up, with the memory of A, B, C and the workspace, of so many bytes, all 0; nothing
// has been seen of it.  Errors: STATUS_NO_MEMORY.
enum status machine_set_up(struct emu_machine *machine, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                           struct error *err);
// Sets the next launch of the product up and begins the observers that `checks` and `counts` ask
// for.  Errors: STATUS_NO_MEMORY.
enum status machine_launch(struct emu_machine *machine, const struct plan_launch *launch,
                           struct error *err);
// Runs the blocks of this process until they end or are stopped; fills result.end and
// result.counts.
void machine_run_blocks(struct emu_machine *machine, uint64_t budget, uint64_t cpu_ms);
// Reports FINDING_CRASH and ends the launch.
_Noreturn void machine_crash(struct emu_machine *machine, enum crash_cause cause, uint64_t pc);

// Signals and the clock (crash.c).
enum status crash_install(struct error *err);
void crash_timer_start(uint64_t cpu_ms);
void crash_timer_stop(void);

#endif
