// Access to a GPU: any number of programs that only run kernels, or one that times them.
//
// A lease is a lock of a file named for the GPU (its UUID, also of a part of a GPU that is cut into
// several), in the folder $TILEGRADE_LOCKS, else /tmp/tilegrade-locks.  The kernel frees the lock
// when its holder ends, however it ends.
#ifndef JUDGE_RUN_GPU_LEASE_H
#define JUDGE_RUN_GPU_LEASE_H

#include "judge/model/options.h"

enum gpu_lease_kind { GPU_LEASE_SHARED, GPU_LEASE_ALONE };

struct gpu_lease {
    int fd;  // -1: none
};

// Takes a lease for the GPU of this UUID. If others hold it, reports them once to the listener and
// waits; afterwards it reports how long.  If the UUID is not known the lease is for all such GPUs
// together.
//
// Errors  STATUS_SYSTEM: the folder or file cannot be made or locked.
enum status gpu_lease_take(const char *uuid, const struct judge_listener *listener,
                           enum gpu_lease_kind kind, struct gpu_lease *ret_lease,
                           struct error *err);
void gpu_lease_give(struct gpu_lease *lease);

#endif
