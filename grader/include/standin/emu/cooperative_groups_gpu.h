// Cooperative groups that only a GPU can run: a whole grid, and groups by a label.
//
// The types exist, so that a kernel compiles; a call is reported as "needs a GPU" with its line.
#ifndef TILEGRADE_EMU_COOPERATIVE_GROUPS_GPU_H
#define TILEGRADE_EMU_COOPERATIVE_GROUPS_GPU_H

#include "begin.h"

namespace cooperative_groups {

class grid_group : public thread_group {
  public:
    EMU_NEEDS_GPU(grid_groups) void sync() const;
    EMU_NEEDS_GPU(grid_groups) unsigned long long thread_rank() const;
    EMU_NEEDS_GPU(grid_groups) unsigned long long num_threads() const;
    EMU_NEEDS_GPU(grid_groups) unsigned long long size() const;
    EMU_NEEDS_GPU(grid_groups) unsigned long long block_rank() const;
    EMU_NEEDS_GPU(grid_groups) unsigned long long num_blocks() const;
    EMU_NEEDS_GPU(grid_groups) dim3 group_dim() const;
    EMU_NEEDS_GPU(grid_groups) bool is_valid() const;
    grid_group(const grid_group &) = default;
};
EMU_NEEDS_GPU(grid_groups) grid_group this_grid();

template <class GROUP>
EMU_NEEDS_GPU(groups_by_label)
coalesced_group labeled_partition(const GROUP &, int);
template <class GROUP>
EMU_NEEDS_GPU(groups_by_label)
coalesced_group binary_partition(const GROUP &, bool);

}  // namespace cooperative_groups

#include "end.h"

#endif
