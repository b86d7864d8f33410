// Cooperative groups of the CPU device: blocks, tiles of a warp and coalesced threads.
//
// Everything is inlined, so that the place of a barrier is the student's line.  Functions that only
// a GPU can run are declared but cannot be called.  Source: CUDA C++ Programming Guide,
// "Cooperative Groups".
#ifndef TILEGRADE_EMU_COOPERATIVE_GROUPS_H
#define TILEGRADE_EMU_COOPERATIVE_GROUPS_H

#include "begin.h"

namespace cooperative_groups {

namespace tilegrade {
EMU_CALL unsigned int rank_in_block() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
EMU_CALL unsigned int threads_of_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}
EMU_CALL unsigned int lane() {
    return rank_in_block() % 32;
}
// The lanes of the part of a warp that contains this lane; a part has `size` lanes, a power of two.
EMU_CALL unsigned int mask_of_tile(unsigned int size) {
    return size >= 32 ? 0xffffffffu : ((1u << size) - 1) << (lane() & ~(size - 1));
}
// The lanes of this warp that exist in the block.
EMU_CALL unsigned int lanes_of_warp() {
    unsigned int rest = threads_of_block() - rank_in_block() / 32 * 32;
    return rest >= 32 ? 0xffffffffu : (1u << rest) - 1;
}
// The lane of the thread with this rank among the lanes of a mask; 32 if there is none.
EMU_CALL unsigned int lane_of_rank(unsigned int mask, unsigned int rank) {
    for (unsigned int at = 0; at < 32; at++) {
        if (mask >> at & 1 && rank-- == 0) {
            return at;
        }
    }
    return 32;
}
EMU_CALL unsigned int rank_of_lane(unsigned int mask, unsigned int at) {
    return (unsigned int)__popc(mask & ((1u << at) - 1));
}
// The bits of `lanes` selected by the mask, packed together.
EMU_CALL unsigned int pack(unsigned int mask, unsigned int lanes) {
    unsigned int result = 0;
    for (unsigned int at = 0, rank = 0; at < 32; at++) {
        if (mask >> at & 1) {
            result |= (lanes >> at & 1) << rank++;
        }
    }
    return result;
}

// Values of any type are passed as words.
template <class T> struct words { unsigned int word[(sizeof(T) + 3) / 4]; };
#define TILEGRADE_GROUP_SHUFFLE(name, type)                                                        \
    template <class T> EMU_CALL T name(unsigned int mask, T value, type how, int width) {          \
        words<T> carry{};                                                                          \
        __builtin_memcpy(&carry, &value, sizeof value);                                            \
        for (unsigned int &word : carry.word) {                                                    \
            word = __##name##_sync(mask, word, how, width);                                        \
        }                                                                                          \
        __builtin_memcpy((void *)&value, &carry, sizeof value);                                    \
        return value;                                                                              \
    }
TILEGRADE_GROUP_SHUFFLE(shfl, int)
TILEGRADE_GROUP_SHUFFLE(shfl_up, unsigned int)
TILEGRADE_GROUP_SHUFFLE(shfl_down, unsigned int)
TILEGRADE_GROUP_SHUFFLE(shfl_xor, int)
#undef TILEGRADE_GROUP_SHUFFLE
}  // namespace tilegrade

// Any group: a block, or lanes of a warp by their mask.
class thread_group {
  protected:
    unsigned int mask;  // 0: the whole block
    EMU_CALL explicit thread_group(unsigned int lanes) : mask(lanes) {
    }
    friend thread_group tiled_partition(const thread_group &parent, unsigned int size);

  public:
    EMU_CALL void sync() const {
        if (mask == 0) {
            __syncthreads();
        } else {
            __syncwarp(mask);
        }
    }
    EMU_CALL unsigned long long num_threads() const {
        return mask == 0 ? tilegrade::threads_of_block()
                         : (unsigned int)__popc(mask & tilegrade::lanes_of_warp());
    }
    EMU_CALL unsigned long long size() const {
        return num_threads();
    }
    EMU_CALL unsigned long long thread_rank() const {
        return mask == 0 ? tilegrade::rank_in_block()
                         : tilegrade::rank_of_lane(mask, tilegrade::lane());
    }
    EMU_CALL bool is_valid() const {
        return true;
    }
};

class thread_block : public thread_group {
    EMU_CALL thread_block() : thread_group(0) {
    }
    friend thread_block this_thread_block();

  public:
    EMU_CALL static void sync() {
        __syncthreads();
    }
    EMU_CALL static unsigned int thread_rank() {
        return tilegrade::rank_in_block();
    }
    EMU_CALL static unsigned int num_threads() {
        return tilegrade::threads_of_block();
    }
    EMU_CALL static unsigned int size() {
        return tilegrade::threads_of_block();
    }
    EMU_CALL static dim3 group_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    EMU_CALL static dim3 thread_index() {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    EMU_CALL static dim3 group_dim() {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    EMU_CALL static dim3 dim_threads() {
        return group_dim();
    }
    struct arrival_token {};
    EMU_NEEDS_GPU(split_barriers) arrival_token barrier_arrive() const;
    EMU_NEEDS_GPU(split_barriers) void barrier_wait(arrival_token &&) const;
};

EMU_CALL thread_block this_thread_block() {
    return thread_block();
}

// Lanes of a warp that reached the same place together.
class coalesced_group : public thread_group {
    EMU_CALL explicit coalesced_group(unsigned int lanes) : thread_group(lanes) {
    }
    friend coalesced_group coalesced_threads();

  public:
    EMU_CALL unsigned int num_threads() const {
        return (unsigned int)__popc(mask);
    }
    EMU_CALL unsigned int size() const {
        return num_threads();
    }
    EMU_CALL unsigned int thread_rank() const {
        return tilegrade::rank_of_lane(mask, tilegrade::lane());
    }
    EMU_CALL unsigned int meta_group_rank() const {
        return 0;
    }
    EMU_CALL unsigned int meta_group_size() const {
        return 1;
    }
    EMU_CALL void sync() const {
        __syncwarp(mask);
    }
    // For a rank that the group does not have, the result is undefined on a GPU; here it is the
    // lane's own value.
    template <class T> EMU_CALL T shfl(T value, int rank) const {
        unsigned int from = tilegrade::lane_of_rank(mask, (unsigned int)rank);
        return tilegrade::shfl(mask, value, (int)(from < 32 ? from : tilegrade::lane()), 32);
    }
    template <class T> EMU_CALL T shfl_up(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return shfl(value, (int)(rank >= delta ? rank - delta : rank));
    }
    template <class T> EMU_CALL T shfl_down(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return shfl(value, (int)(rank + delta < size() ? rank + delta : rank));
    }
    EMU_CALL int any(int predicate) const {
        return __any_sync(mask, predicate);
    }
    EMU_CALL int all(int predicate) const {
        return __all_sync(mask, predicate);
    }
    EMU_CALL unsigned int ballot(int predicate) const {
        return tilegrade::pack(mask, __ballot_sync(mask, predicate));
    }
    template <class T> EMU_CALL unsigned int match_any(T value) const {
        return tilegrade::pack(mask, __match_any_sync(mask, value));
    }
    template <class T> EMU_CALL unsigned int match_all(T value, int &all_equal) const {
        int equal = 0;
        unsigned int lanes = __match_all_sync(mask, value, &equal);
        all_equal = equal;
        return tilegrade::pack(mask, lanes);
    }
};

EMU_CALL coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

// SIZE neighbouring lanes of a warp.
template <unsigned int SIZE, class PARENT = void> class thread_block_tile : public thread_group {
    static_assert(SIZE > 0 && (SIZE & (SIZE - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    static_assert(SIZE <= 32, "tilegrade_needs_gpu_tiles_of_several_warps");
    EMU_CALL thread_block_tile() : thread_group(tilegrade::mask_of_tile(SIZE)) {
    }
    template <unsigned int PART, class GROUP>
    friend thread_block_tile<PART, GROUP> tiled_partition(const GROUP &);
    EMU_CALL unsigned int first() const {
        return tilegrade::lane() & ~(SIZE - 1);
    }

  public:
    template <class OTHER>
    EMU_CALL thread_block_tile(const thread_block_tile<SIZE, OTHER> &)
        : thread_group(tilegrade::mask_of_tile(SIZE)) {
    }
    EMU_CALL void sync() const {
        __syncwarp(mask);
    }
    EMU_CALL static constexpr unsigned int num_threads() {
        return SIZE;
    }
    EMU_CALL static constexpr unsigned int size() {
        return SIZE;
    }
    EMU_CALL static unsigned int thread_rank() {
        return tilegrade::rank_in_block() & (SIZE - 1);
    }
    EMU_CALL static unsigned int meta_group_rank() {
        return tilegrade::rank_in_block() / SIZE;
    }
    EMU_CALL static unsigned int meta_group_size() {
        return (tilegrade::threads_of_block() + SIZE - 1) / SIZE;
    }
    template <class T> EMU_CALL T shfl(T value, int rank) const {
        return tilegrade::shfl(mask, value, rank, (int)SIZE);
    }
    template <class T> EMU_CALL T shfl_up(T value, unsigned int delta) const {
        return tilegrade::shfl_up(mask, value, delta, (int)SIZE);
    }
    template <class T> EMU_CALL T shfl_down(T value, unsigned int delta) const {
        return tilegrade::shfl_down(mask, value, delta, (int)SIZE);
    }
    template <class T> EMU_CALL T shfl_xor(T value, unsigned int lanes) const {
        return tilegrade::shfl_xor(mask, value, (int)lanes, (int)SIZE);
    }
    EMU_CALL int any(int predicate) const {
        return __any_sync(mask, predicate);
    }
    EMU_CALL int all(int predicate) const {
        return __all_sync(mask, predicate);
    }
    EMU_CALL unsigned int ballot(int predicate) const {
        return __ballot_sync(mask, predicate) >> first();
    }
    template <class T> EMU_CALL unsigned int match_any(T value) const {
        return __match_any_sync(mask, value) >> first();
    }
    template <class T> EMU_CALL unsigned int match_all(T value, int &all_equal) const {
        int equal = 0;
        unsigned int lanes = __match_all_sync(mask, value, &equal);
        all_equal = equal;
        return lanes >> first();
    }
};

template <unsigned int SIZE, class PARENT>
EMU_CALL thread_block_tile<SIZE, PARENT> tiled_partition(const PARENT &) {
    return thread_block_tile<SIZE, PARENT>();
}
EMU_CALL thread_group tiled_partition(const thread_group &parent, unsigned int size) {
    (void)parent;
    return thread_group(tilegrade::mask_of_tile(size));
}

template <class GROUP> EMU_CALL void sync(const GROUP &group) {
    group.sync();
}
template <class GROUP> EMU_CALL unsigned int thread_rank(const GROUP &group) {
    return (unsigned int)group.thread_rank();
}
template <class GROUP> EMU_CALL unsigned int group_size(const GROUP &group) {
    return (unsigned int)group.size();
}

}  // namespace cooperative_groups

// --- The cluster of a block -------------------------------------------------------------------
// Source: CUDA C++ Programming Guide, "Cooperative Groups", Cluster Group.
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

// --- The whole grid, of a cooperative launch ---------------------------------------------------
namespace cooperative_groups {

#ifdef TILEGRADE_PROGRAM
namespace tilegrade {
extern "C" void emu_grid_sync();
extern "C" bool emu_grid_exists();
}  // namespace tilegrade
class grid_group {
  public:
    EMU_CALL void sync() const {
        tilegrade::emu_grid_sync();
    }
    EMU_CALL bool is_valid() const {
        return tilegrade::emu_grid_exists();
    }
    EMU_CALL static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    EMU_CALL static unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    EMU_CALL static unsigned long long thread_rank() {
        return block_rank() * tilegrade::threads_of_block() + tilegrade::rank_in_block();
    }
    EMU_CALL static unsigned long long num_threads() {
        return num_blocks() * tilegrade::threads_of_block();
    }
    EMU_CALL static unsigned long long size() {
        return num_threads();
    }
    EMU_CALL static dim3 group_dim() {
        return gridDim;
    }
    EMU_CALL static dim3 dim_blocks() {
        return gridDim;
    }
    EMU_CALL static dim3 block_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
};
EMU_CALL grid_group this_grid() {
    return grid_group();
}
#else  // An exercise has no such launches: a call is reported as "needs a GPU" with its line.
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
#endif

template <class GROUP>
EMU_NEEDS_GPU(groups_by_label)
coalesced_group labeled_partition(const GROUP &, int);
template <class GROUP>
EMU_NEEDS_GPU(groups_by_label)
coalesced_group binary_partition(const GROUP &, bool);

}  // namespace cooperative_groups

#include "end.h"

#endif
