// Checker: two accesses to one place of shared or global memory, at least one of which writes, need an order.
//
// Order within a block: a __syncthreads() between the two, or, inside one warp, a __syncwarp() with both lanes in
// its mask.  Blocks of one launch have none.  Two atomic operations need none.
#ifndef EMU_RACE_H
#define EMU_RACE_H

#include "emu/events.h"
#include "emu/findings.h"
#include "emu/sites.h"

struct race;

// Errors: STATUS_NO_MEMORY.  sites is borrowed.
enum status race_new(const struct sites *sites, struct race **ret_race, struct error *err);
void race_free(struct race *race);

// Begins a launch; shape and findings are borrowed until race_launch_end.  All memory of the launch is taken here.
// Errors: STATUS_NO_MEMORY.
enum status race_launch_begin(struct race *race, const struct launch_shape *shape, struct findings *findings,
                              struct error *err);
void race_block_begin(struct race *race, const struct block_place *place);

// One access.  The machine must not switch threads between this call and the access itself: whether two stores of one
// word stored the same value is seen by looking at the memory before and after (so count_access, which may
// ask for a switch, comes first).  Accesses out of bounds and outside shared and global memory are ignored.
void race_access(struct race *race, const struct access *access);

// A __syncthreads() that all live threads of the block passed.
void race_barrier(struct race *race);

// A __syncwarp() that all live lanes in lane_mask of this warp passed.  Not for shuffles and votes: they order no memory.
void race_warp_sync(struct race *race, uint32_t warp, uint32_t lane_mask);

void race_block_end(struct race *race);
void race_launch_end(struct race *race);

#endif
