// Thread block clusters: blocks that run together, meet at a barrier and reach each other's shared
// memory.  See decisions/0059-clusters.md.
//
// One block runs at a time, and all use the same addresses for their own shared memory.  A block
// that waits for others is set aside, with its shared memory in a window, where the others reach
// it.
//
// Source: PTX ISA, "Cluster of Cooperative Thread Arrays", barrier.cluster and mapa.
#ifndef EMU_MACHINE_CLUSTER_H
#define EMU_MACHINE_CLUSTER_H

#include "emu/check/remote.h"
#include "emu/machine/machine_state.h"

enum cluster_state { BLOCK_NEW, BLOCK_ASIDE, BLOCK_RUNS, BLOCK_ENDED };

struct saved_block;

struct cluster_block {
    enum cluster_state state;
    struct block_place place;
    struct saved_block *aside;  // in BLOCK_ASIDE
    struct block_set parts;     // the machine's own set, while the block runs
    // By thread: how often it has arrived at the barrier and waited there; an arrival not yet
    // passed on to the others; whether it has ended, and the pc of the `return` that ended it.
    uint32_t arrivals[THREADS_MAX];
    uint32_t waits[THREADS_MAX];
    bool is_new[THREADS_MAX];
    bool exited[THREADS_MAX];
    uint64_t exit_pc[THREADS_MAX];
    uint32_t last_thread;  // that ended
    // Of a block set aside: whether threads wait at the barrier, or for a phase of an mbarrier; a
    // thread that has neither arrived nor ended.
    bool meets;
    bool has_phase;
    uint32_t lacks_bytes;  // the mbarrier whose phase is the reason, or UINT32_MAX
    uint64_t absent_pc;
    uint32_t absent_thread;
    uint32_t absent_count;
};

struct cluster {
    uint32_t rank;   // of the running block
    bool stuck;      // no thread of the cluster can run
    uint32_t phase;  // of the barrier: the number of complete phases
    struct follow_message arriving;
    struct follow_message complete;
    uint64_t
        window;  // its address; it holds the shared memory of each block in turn, in the machine's
                 // layout
    uint64_t window_bytes;
    struct remote *remote;
    struct cluster_block block[CLUSTER_BLOCKS_MAX];
};

// For a file that asks for its cluster.  Errors: STATUS_NO_MEMORY.
enum status clusters_new(struct emu_machine *machine, struct error *err);

// Begins the launch in machine->shape.  Errors: STATUS_NO_MEMORY.
enum status cluster_launch_begin(struct emu_machine *machine, struct error *err);
void cluster_launch_end(struct emu_machine *machine);

static inline struct cluster_block *cluster_running(const struct emu_machine *machine) {
    return &machine->cluster->block[machine->cluster->rank];
}
// The block of this rank is the running one.
void cluster_become(struct emu_machine *machine, uint32_t rank);
// Lends the state of that block to the machine, except for its threads, and ends the loan.  The
// threads are set aside, and try again when their block runs.
struct cluster_loan {
    uint32_t rank;     // of the running block
    uint32_t waiting;  // threads of the other one, for phases
};
struct cluster_loan cluster_lend(struct emu_machine *machine, uint32_t rank);
void cluster_return(struct emu_machine *machine, struct cluster_loan loan);
// Translates `address`, in the shared memory of the running block, to the address in the cluster's
// window of the same place in block `rank`.
uint64_t cluster_address(const struct emu_machine *machine, uint64_t address, uint32_t rank);
// How a block has ended.
struct remote_end cluster_end_of(const struct emu_machine *machine, uint32_t rank);

// The running thread arrives at the barrier, by a call that also waits if it `syncs`; it waits
// there, while cluster_passed returns false and lets other threads run; it ends.
void cluster_arrive(struct emu_machine *machine, bool syncs, uint64_t pc);
void cluster_wait(struct emu_machine *machine, uint64_t pc);
bool cluster_passed(struct emu_machine *machine);
void cluster_exit(struct emu_machine *machine);

// The first thread of the running block at the barrier; THREADS_MAX if there is none.
uint32_t cluster_first_waiting(const struct emu_machine *machine);
// Makes the threads ready that the barrier lets pass.
void cluster_wake(struct emu_machine *machine);

// Passes on to the other blocks the accesses that the threads of this block made before they
// arrived at the barrier: called when none of its threads can run, or all have arrived.
void cluster_tell(struct emu_machine *machine);

// Called if no thread of the block can run.  True if other blocks of the cluster can change that.
bool cluster_waits(const struct emu_machine *machine);
// If all threads of the cluster are at the barrier, lets them continue and returns true.
bool cluster_meet(struct emu_machine *machine);
// Called if no thread of the cluster can run.  If some wait at the barrier, reports that and
// returns true.
bool cluster_deadlock(struct emu_machine *machine);

#endif
