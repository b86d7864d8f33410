// Checker: a block accesses the shared memory of another block of its cluster only while that block
// runs: after a barrier of the cluster, and before the other block can have ended.
#ifndef EMU_CHECK_REMOTE_H
#define EMU_CHECK_REMOTE_H

#include "emu/check/follow.h"
#include "emu/memory/events.h"
#include "emu/wire/finding.h"

#define CLUSTER_BLOCKS_MAX 8  // the largest size that every GPU supports

struct remote;

// Errors: STATUS_NO_MEMORY.
enum status remote_new(struct remote **ret_remote, struct error *err);

// Begins a launch; shape and findings are borrowed until it ends.
void remote_launch_begin(struct remote *remote, const struct launch_shape *shape,
                         struct findings *findings);
void remote_cluster_begin(struct remote *remote);
// Reports an access that came before the first barrier of the cluster, unless the race checker has
// already found more.
void remote_cluster_end(struct remote *remote);

// The block that accesses shared memory and the block that owns it, by their numbers in the
// cluster, and the time.
struct remote_use {
    uint32_t from;
    uint32_t to;
    const struct block_place *place;  // of the block that accesses
    uint32_t epoch;                   // of the race checker
    bool before_barrier;              // the cluster has not passed any
};
void remote_access(struct remote *remote, const struct remote_use *use,
                   const struct access *access);

// The thread that ended a block, and its place.
struct remote_end {
    uint32_t rank;
    const struct block_place *place;
    uint32_t thread;  // that ended last
    uint64_t pc;      // of its `return`; 0: the end of the kernel
};
// The running block has ended, as if by a barrier of its threads. Reports accesses that are not
// ordered before its end.
void remote_block_end(struct remote *remote, const struct follow *follow,
                      const struct remote_end *end);
// An access to a block that has ended.
void remote_too_late(struct remote *remote, const struct block_place *place,
                     const struct access *access, const struct remote_end *end);

#endif
