// Counts requests, sectors and wavefronts as Nsight Compute does: by warp instruction.
//
// Threads run one after the other here, so each lane keeps a log of its accesses, and the logs of a warp are merged
// to warp instructions whenever its lanes have come to the same point.
#ifndef EMU_COUNT_H
#define EMU_COUNT_H

#include "emu/events.h"

struct count;

// Errors: STATUS_NO_MEMORY.
enum status count_new(struct count **ret_count, struct error *err);
void count_free(struct count *count);

// Begins a launch; shape is borrowed until count_launch_end.
void count_launch_begin(struct count *count, const struct launch_shape *shape);
void count_block_begin(struct count *count, const struct block_place *place);

// Logs one access of shared or global memory; others, and atomic operations, are not counted.
//
// Returns  true where the log of this lane is now full: the machine lets every other thread of the warp that can run do
//          so before this one goes on.  (If it does not, the figures are still deterministic, but lanes of one
//          instruction may be counted as several.)
bool count_access(struct count *count, const struct access *access);

void count_barrier(struct count *count);
// Any collective of a warp (__syncwarp, shuffle, vote) that all live lanes in lane_mask passed.
void count_warp_sync(struct count *count, uint32_t warp, uint32_t lane_mask);
// A thread of the block returned.
void count_exit(struct count *count, uint32_t thread);
void count_block_end(struct count *count);
// Ends the launch; *ret_counts are its sums.
void count_launch_end(struct count *count, struct counts *ret_counts);

#endif
