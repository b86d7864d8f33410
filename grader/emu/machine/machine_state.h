// The state of the CPU device while a kernel runs, shared by all its parts.  Sets up and runs one
// launch, and begins and ends its observers.
#ifndef EMU_MACHINE_MACHINE_STATE_H
#define EMU_MACHINE_MACHINE_STATE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/check/copy_checks.h"
#include "emu/check/coverage_map.h"
#include "emu/check/lost_update.h"
#include "emu/check/overlap.h"
#include "emu/check/race.h"
#include "emu/check/uninit.h"
#include "emu/check/wgmma.h"
#include "emu/count/count.h"
#include "emu/machine/emu.h"
#include "emu/machine/fiber.h"
#include "emu/memory/block_order.h"
#include "emu/memory/kernel_memory.h"
#include "emu/memory/known.h"
#include "emu/memory/sites.h"
#include "emu/memory/vault.h"

#define WARPS_MAX    (THREADS_MAX / WARP_LANES)
#define MATRIX_SLOTS 40      // elements of fragments that a lane passes to a multiplication
#define PAUSES_MAX   8       // of one block
#define CALLERS_MAX  16      // deeper calls share places; a power of two
#define NULL_BYTES   65536u  // addresses below this come from a null pointer, perhaps with an index

enum thread_state {
    THREAD_READY,        // runs, or can run
    THREAD_AT_BARRIER,   // waits in __syncthreads
    THREAD_AT_WARP,      // waits for other lanes in __syncwarp, a shuffle, a vote
    THREAD_AT_MASK,      // waits in __activemask until no thread of the block can run
    THREAD_AT_MBARRIER,  // waits for a phase of an mbarrier
    THREAD_AT_CLUSTER,   // waits for the barrier of its cluster
    THREAD_EXITED,
};

// A lane's part in a collective of its warp: its arguments and its result.
struct lane_call {
    uint32_t operation;  // enum warp_operation
    uint32_t mask;
    uint64_t value;
    uint32_t source;  // shuffles: lane, delta or lane mask
    uint32_t width;   // shuffles: 1, 2, 4, 8, 16 or 32
    uint64_t result;
    uint32_t present;  // the lanes that took part
};

// … and in a call of its warpgroup.
struct warpgroup_call {
    uint64_t value[3];  // the kind of call and its arguments, equal in all threads
    uint64_t own[2];    // local arrays of the thread: sums, registers of A
};

struct thread {
    struct fiber fiber;
    uint64_t pc;        // where it waits or returned (0 if unknown)
    uint32_t index[3];  // threadIdx
    struct lane_call call;
    struct warpgroup_call group_call;
    uint32_t matrix[MATRIX_SLOTS];  // bits of elements, see hooks/matrix.c
    // The mbarrier and the phase that it has waited for without success, if it has_waited.
    bool has_waited;
    uint32_t waits_for;
    uint32_t phase;
    uint64_t stack_low;            // the lowest address of its stack
    uint32_t depth;                // functions of the kernel file that it is in
    uint64_t caller[CALLERS_MAX];  // the places that called them, a ring by depth
    struct seen_words seen;        // only in an unusual order
};

// A thread's calling place, for numbers that combine place and caller.
// Source of the factor: Knuth, The Art of Computer Programming 3, 6.4.
static inline uint64_t thread_caller_mix(const struct thread *thread) {
    return thread->caller[(thread->depth - 1) % CALLERS_MAX] * 0x9e3779b97f4a7c15u;
}

// The threads that wait at a barrier of the block.
struct meeting {
    uint64_t pc;  // of the thread that arrived last
    bool mixed;   // they wait at different places
    uint32_t arrived;
    uint32_t predicates;  // arrived threads whose predicate is true
    uint32_t sum;         // true predicates of the last meeting
};

struct warp {
    uint32_t alive;    // lanes that have not returned
    uint32_t waiting;  // lanes in THREAD_AT_WARP
};

// The places where a block was set aside so that others run: each place that hands something over,
// once.
struct pauses {
    uint64_t number;  // of the block, in the order in which blocks begin
    uint32_t count;
    uint64_t pc[PAUSES_MAX];
};

// The state that a block keeps while others run, in addition to its threads and warps.
struct running_block {
    uint32_t alive;  // threads that have not returned
    struct meeting meeting;
    struct block_place place;
    struct pauses pauses;
    bool in_sample;
    bool only_counts;      // no checker watches this block, and no map of all accesses is asked for
    uint64_t return_pc;    // of a `return` not yet followed by the function's end
    uint64_t returned_pc;  // the `return` of the function that ended last
};

// The observers that belong to one block.  If blocks run in turns, no two of them use the same set
// at a time.
struct block_set {
    struct uninit *uninit;
    struct async *async;
    struct bulk *bulk;            // these two only in a file with mbarriers or bulk copies; else
    struct mbarriers *mbarriers;  // NULL
    struct wgmma *wgmma;          // only in a file with wgmma; else NULL
};

// Blocks that are set aside, as a ring, each with a set of parts.
struct saved_blocks {
    struct saved_block *block[BLOCKS_TOGETHER_MAX];
    uint32_t first;
    uint32_t count;
    uint32_t most;                                    // in this launch
    struct block_set set[BLOCKS_TOGETHER_MAX + 2];    // by number; set 0 is for launches without
                                                      // turns
    uint32_t used;                                    // sets used in this launch
    struct block_set spare[BLOCKS_TOGETHER_MAX + 2];  // sets that no block uses now
    uint32_t spare_count;
    struct saved_block *unused;  // memory left by blocks that run again
};

// The barrier of a cooperative launch, and its blocks.
struct grid_barrier {
    bool exists;
    uint64_t arrived;  // blocks, in this phase
    uint64_t phase;
    uint64_t ended;
    struct follow_message arriving, complete;
};

// The timer's observations of the launch (stop.c).
struct patience {
    uint64_t steps;  // steps at the last tick
    uint32_t idle;   // ticks since the last step
    uint32_t ticks;
    volatile int time_over;     // set by the timer's handler
    volatile uint64_t loop_pc;  // the lowest place seen since, UINT64_MAX if none
    volatile uint64_t call_pc;  // while a thread is in our code that it may crash (printf)
};

// Options of the request for this launch, besides checks and counts.
struct asked {
    bool junk;             // the stacks are filled with junk before each block
    bool lanes;            // reports shuffles that read a lane outside the shuffle
    bool olds;             // reports reads of output elements not yet stored to
    bool maps;             // the coverage map
    bool samples;          // not all blocks are watched
    uint32_t part_blocks;  // only so many run; 0: all
    uint64_t sample_draw;
};

// The current round of the block's threads.
struct round {
    bool others;      // another block can run
    bool crowded;     // the maximum of blocks wait, and others have not begun
    bool goes_on;     // the block has changed memory by a strong store
    bool moved;       // a thread has run
    bool pauses_now;  // the block is to be set aside after this round
};

// The values that a thread noted last: see emu_note_values in hooks/notes.c.
struct noted {
    uint32_t count;  // 0: none
    uint32_t block[3];
    int64_t value[FINDING_VALUES_MAX];
};

// The arguments of a kernel, by the way they are passed.
struct call {
    // Integers and pointers; the workspace follows the last one, and then the address of the tensor
    // maps.
    uint64_t integer[ARGUMENTS_MAX + 2];
    double real[REAL_VALUES_MAX];
};

// The data at the address of a tensor map, in place of the encoding by a GPU's driver.
struct machine_tensor {
    struct plan_tensor layout;
    uint64_t start;  // address
};
_Static_assert(sizeof(struct machine_tensor) == TENSOR_MAP_BYTES,
               "struct tensor_map of kernel.cuh");

struct emu_machine {
    // Read-only while a kernel runs (machine_run_blocks).
    struct memory memory;
    struct coverage_map coverage;
    bool checks;
    bool counts;
    bool fences;       // the kernel file has some
    bool hands_on;     // the kernel file has mbarriers or bulk copies
    bool takes_turns;  // blocks are set aside where they hand something over
    bool follows;      // the order of threads is followed: one of these three, clusters, or overlap
    bool configuring;  // runs LAUNCH_CONFIG, not the kernel
    bool is_program;   // a whole program: emu/host/host.h
    bool on_host;      // its host code runs
    uint32_t variables;  // of a program: its first arrays are __device__ variables
    uint64_t order;      // of blocks and threads, see emu_request
    struct asked asked;
    struct sample sample;  // of the blocks of this launch
    struct sample part;    // the blocks that run; count 0: all
    struct launch_shape shape;
    struct call call;  // the arguments of the kernel
    // Its tensor maps, for all threads; kernel.cuh calls them tensor_maps.
    _Alignas(64) struct machine_tensor tensor[PLAN_TENSORS_MAX];
    struct size size;                 // the argument of LAUNCH_CONFIG
    uint64_t kernel_address;          // 0: the exercise's own kernel
    uint64_t block_first, block_end;  // the blocks that this process runs, by their linear index
    // If several processes run the launch: becomes nonzero when the run of one is not clean
    // (launches.c).  NULL if this process runs it alone.
    uint32_t *given_up;
    int channel_fd;           // the channel for announced findings (machine.c); 0: none
    uint64_t nonce;           // of the request
    struct tracing *tracing;  // of a launch that is traced; else NULL
    uint32_t output;          // if the launch may be shared: its only output array
    const void *before;       // the output's content when the launch began, borrowed
    sigjmp_buf stop;          // jump target of a stop: the scheduler
    struct fiber_stacks stacks;
    struct sites *sites;        // places, for the checkers
    struct sites *count_sites;  // places and callers, for the counter
    struct race *race;
    struct block_set own;      // of the running block
    struct cluster *cluster;   // of a launch whose blocks run by clusters; else NULL
    struct cluster *clusters;  // of a file that asks for its cluster; else NULL
    struct workspace workspace;
    struct overlap *overlap;         // of a product with a dependent launch; else NULL
    struct overlap *overlap_memory;  // its storage, in use or not
    struct count *count;

    // Used at every access.
    _Alignas(VAULT_PAGE_BYTES) int64_t
        accesses_left;     // left in this time slice after the next access; negative: it is over
    uint64_t local_bytes;  // see place_is_unwatched
    struct known known;
    uint32_t current;            // linear index of the running thread
    bool in_kernel;              // a thread runs (not the scheduler)
    bool switched;               // more than one thread ran in this time slice
    uint64_t caller_mix;         // of the running thread, if its accesses are counted
    bool has_matrix;             // some thread's matrix was used: a block must not keep it
    uint32_t turn_step;          // the threads take turns in this step, see block_order.h
    uint8_t state[THREADS_MAX];  // enum thread_state
    struct thread thread[THREADS_MAX];
    struct warp warp[WARPS_MAX];

    struct running_block block;

    // The last atomic operation: a thread that repeats it, with nothing in between, waits.
    uint64_t atomic_pc;
    int64_t atomic_left;  // accesses_left after it

    // The launch.
    struct turn turn;  // of the threads
    struct emu_result result;
    uint64_t budget;  // accesses left for the launch, without those of this time slice
    uint64_t slice;   // length of this time slice
    uint64_t clock;   // accesses of earlier time slices
    uint64_t begun;   // threads of blocks that have begun
    uint32_t printed_bytes;
    uint32_t printed_before;  // by the same launch, which now runs once more
    struct saved_blocks waiting;
    struct round round;
    struct grid_barrier grid;
    uint32_t paused;      // how often blocks of this launch paused to let others run
    struct pauses asks;   // the places that only asked for a value, by adding 0 and the like
    uint64_t resumed;     // how often a paused block has gone on
    uint32_t long_waits;  // blocks that went on though they seemed to wait …
    uint64_t long_floor;  // … while more of the budget than this was left
    uint32_t waited;      // all pauses, including those for threads that seemed to wait
    bool hands_over;      // an atomic operation has changed the workspace
    struct fiber scheduler;
    struct noted noted[THREADS_MAX];
    struct patience patience;
};
// In emu/host/, which is linked into programs alone: an access, and a crash, of the host's code.
extern void host_access(uint64_t address, uint64_t bytes, enum access_kind kind, uint64_t pc)
    __attribute__((weak));
extern void host_crashed(int signal_number, uint64_t address, uint64_t pc, bool stores)
    __attribute__((weak));
extern bool host_owns(uint64_t address) __attribute__((weak));
extern bool host_variable_find(struct access *access) __attribute__((weak));
extern void host_array_describe(struct finding *finding) __attribute__((weak));
extern void host_index_outside(const struct finding *seen) __attribute__((weak));

#define MACHINE_SEALED_BYTES offsetof(struct emu_machine, accesses_left)

// The machine, for hooks, which have no argument for it.  Its address is drawn when a kernel is
// linked; the memory exists while the machine is open (memory/vault.h).
extern struct emu_machine machine_state;

static inline struct lost_update machine_lost_update(struct emu_machine *machine) {
    return (struct lost_update){&machine->result.findings, &machine->shape, &machine->block.place,
                                &machine->memory, machine->current};
}

// The type by which a kernel is called, with more arguments than it has.  The calling conventions
// of x86-64 (System V) and aarch64 (AAPCS64) pass integers and pointers in one sequence and
// floating-point numbers in another, in registers first, and let a function ignore extra arguments;
// a float is the lower half of its register.  So one type serves for kernels with any parameters.
typedef void called_kernel(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                           uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                           double, double, double, double, double, double, double, double);

// The exercise's kernel and its LAUNCH_CONFIG, by the names that the link gives them.
extern called_kernel emu_kernel
    __attribute__((weak));  // so that its address comes from a table, as Arm's linker needs
// In hooks/fences.c, which is linked only if the kernel file has fences.
extern void emu_fence(void) __attribute__((weak));
// In hooks/bulk_calls.c, which is linked only if the kernel file has mbarriers or bulk copies.
extern void emu_mbarrier_init(uint64_t *mbarrier, uint32_t count) __attribute__((weak));
// In hooks/wgmma_calls.c, which is linked only if the kernel file has wgmma.
extern void emu_wgmma_multiply(uint32_t code, void *sums, const void *registers, uint64_t a,
                               uint64_t b) __attribute__((weak));
// In hooks/cluster_calls.c, which is linked only if the kernel file asks for its cluster.
extern uint32_t emu_cluster_rank(void) __attribute__((weak));
extern void emu_launch_config(const void *launch, int, int, int, int);

// threadIdx and the like, as the kernel reads them; see shim/cuda_emu.h.
struct machine_index {
    uint32_t x, y, z;
};
extern struct machine_index emu_thread_index, emu_block_index, emu_block_extent, emu_grid_extent;

// Sets up a launch: memory of these sizes for the arrays and the workspace, all 0, and no findings.
// Errors: STATUS_NO_MEMORY.
enum status machine_set_up(struct emu_machine *machine, const uint64_t bytes[GLOBAL_ARRAY_COUNT],
                           struct error *err);

// Sets up the next launch of the product and begins the observers that `checks` and `counts` ask
// for.  Errors: STATUS_NO_MEMORY.
enum status machine_launch(struct emu_machine *machine, const struct plan_launch *launch,
                           struct error *err);

// Runs the blocks of this process until they end or are stopped; fills result.end and
// result.counts.
void machine_run_blocks(struct emu_machine *machine, uint64_t budget, uint64_t cpu_ms);

#endif
