// The GPUs of a machine, shared by all graders that run there.
//
// A lease is the right to have processes on one of the GPUs.  Each GPU has as many leases as fit in
// its memory, and a grader gets a free one.  Under the lock of that GPU it then runs alone, only
// for one launch with its inputs and outputs.  So others run their launches while it starts
// processes and verifies results.
//
// Both are locks of files named after the GPU (its UUID, or that of a MIG instance), in the folder
// $TILEGRADE_LOCKS, else /tmp/tilegrade-locks.  The kernel frees them when their holder ends,
// however it ends.
#ifndef JUDGE_RUN_GPU_LEASE_H
#define JUDGE_RUN_GPU_LEASE_H

#include "judge/model/judge_options.h"
#include "judge/model/judgement.h"

struct gpu_lease {
    int count;
    struct gpu gpus[GPUS_MAX];              // [count] of one model: any will do
    const struct judge_listener *listener;  // borrowed
    int at;                                 // the GPU that is leased; the first while none is
    int lease_fd;                           // -1: no lease is held
    int lock_fd;                            // of the leased GPU
    int locks;                              // locks taken and not yet released
    int64_t locked_at_ns;                   // when the first of these was taken
    struct gpu_use use;                     // since the caller set it to 0
};

// Chooses from the GPUs that were found: the first, and all others of its model.
void gpu_lease_init(struct gpu_lease *lease, const struct gpu_info *info,
                    const struct judge_listener *listener);

// In the calls below, NULL means a device that needs no lease.

// Leases a GPU, if none is leased yet.  If no lease is free, it informs the listener once, waits,
// and then reports how long.
// Errors  STATUS_SYSTEM: the folder or a file cannot be made or locked.
enum status gpu_lease_take(struct gpu_lease *lease, struct error *err);
void gpu_lease_give(struct gpu_lease *lease);

// CUDA's number of the GPU to run on: the leased GPU, if the machine shares any.
int gpu_lease_index(const struct judge_machine *machine);

// Takes the lock of the leased GPU.  Its holder may take it again; it is free when it has been
// released as often.  Errors those of gpu_lease_take.
enum status gpu_lease_lock(struct gpu_lease *lease, struct error *err);
void gpu_lease_unlock(struct gpu_lease *lease);

#endif
