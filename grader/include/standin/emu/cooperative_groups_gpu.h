// Cooperative groups that only a GPU can run: several blocks together, and groups by a label.
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

class cluster_group : public thread_group {
  public:
    EMU_NEEDS_GPU(thread_block_clusters) static void sync();
    EMU_NEEDS_GPU(thread_block_clusters) static void barrier_arrive();
    EMU_NEEDS_GPU(thread_block_clusters) static void barrier_wait();
    EMU_NEEDS_GPU(thread_block_clusters) static unsigned int block_rank();
    EMU_NEEDS_GPU(thread_block_clusters) static unsigned int thread_rank();
    EMU_NEEDS_GPU(thread_block_clusters) static unsigned int num_blocks();
    EMU_NEEDS_GPU(thread_block_clusters) static unsigned int num_threads();
    template <class T>
    EMU_NEEDS_GPU(thread_block_clusters)
    static T *map_shared_rank(T *, unsigned int);
    cluster_group(const cluster_group &) = default;
};
EMU_NEEDS_GPU(thread_block_clusters) cluster_group this_cluster();

template <class GROUP>
EMU_NEEDS_GPU(groups_by_label)
coalesced_group labeled_partition(const GROUP &, int);
template <class GROUP>
EMU_NEEDS_GPU(groups_by_label)
coalesced_group binary_partition(const GROUP &, bool);

}  // namespace cooperative_groups

#include "end.h"

#endif
