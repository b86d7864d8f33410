// Cooperative groups of the CPU device: the cluster of a block.
//
// Source: CUDA C++ Programming Guide, "Cooperative Groups", Cluster Group.
#ifndef TILEGRADE_EMU_COOPERATIVE_GROUPS_CLUSTER_H
#define TILEGRADE_EMU_COOPERATIVE_GROUPS_CLUSTER_H

#include "begin.h"

namespace cooperative_groups {

namespace tilegrade {
extern "C" unsigned int emu_cluster_rank();
extern "C" unsigned int emu_cluster_extent(unsigned int axis);
extern "C" void emu_cluster_arrive();
extern "C" void emu_cluster_wait();
extern "C" void emu_cluster_sync();
extern "C" void *emu_cluster_map(const void *address, unsigned int rank);
}  // namespace tilegrade

class cluster_group : public thread_group {
    EMU_CALL cluster_group() : thread_group(0) {
    }
    friend cluster_group this_cluster();

  public:
    struct arrival_token {};
    EMU_CALL static void sync() {
        tilegrade::emu_cluster_sync();
    }
    EMU_CALL static arrival_token barrier_arrive() {
        tilegrade::emu_cluster_arrive();
        return arrival_token();
    }
    EMU_CALL static void barrier_wait() {
        tilegrade::emu_cluster_wait();
    }
    EMU_CALL static void barrier_wait(arrival_token &&) {
        tilegrade::emu_cluster_wait();
    }
    EMU_CALL static dim3 dim_blocks() {
        return dim3(tilegrade::emu_cluster_extent(0), tilegrade::emu_cluster_extent(1),
                    tilegrade::emu_cluster_extent(2));
    }
    EMU_CALL static unsigned int num_blocks() {
        dim3 blocks = dim_blocks();
        return blocks.x * blocks.y * blocks.z;
    }
    EMU_CALL static dim3 dim_threads() {
        dim3 blocks = dim_blocks();
        return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
    }
    EMU_CALL static unsigned int num_threads() {
        return num_blocks() * tilegrade::threads_of_block();
    }
    EMU_CALL static unsigned int size() {
        return num_threads();
    }
    EMU_CALL static dim3 block_index() {
        dim3 blocks = dim_blocks();
        return dim3(blockIdx.x % blocks.x, blockIdx.y % blocks.y, blockIdx.z % blocks.z);
    }
    EMU_CALL static unsigned int block_rank() {
        return tilegrade::emu_cluster_rank();
    }
    EMU_CALL static dim3 thread_index() {
        dim3 block = block_index();
        return dim3(block.x * blockDim.x + threadIdx.x, block.y * blockDim.y + threadIdx.y,
                    block.z * blockDim.z + threadIdx.z);
    }
    EMU_CALL static unsigned int thread_rank() {
        return block_rank() * tilegrade::threads_of_block() + tilegrade::rank_in_block();
    }
    template <class T> EMU_CALL static T *map_shared_rank(T *address, int rank) {
        return (T *)tilegrade::emu_cluster_map((const void *)address, (unsigned int)rank);
    }
    EMU_NEEDS_GPU(rank_of_shared_address)
    static unsigned int query_shared_rank(const void *address);
    cluster_group(const cluster_group &) = default;
};

EMU_CALL cluster_group this_cluster() {
    return cluster_group();
}

}  // namespace cooperative_groups

#include "end.h"

#endif
