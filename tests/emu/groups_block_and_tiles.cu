// Cooperative groups: blocks, tiles of a warp, coalesced threads, and what they do together.
// row: `<cooperative_groups.h>`: blocks, tiles up to 32, `coalesced_threads`
// launch: 8x8x8
#include <cooperative_groups.h>
#include "matmul.cuh"

namespace cg = cooperative_groups;

template <class GROUP> __device__ float sum_of(const GROUP &group, float value)
{
    for (int step = group.size() / 2; step > 0; step /= 2) {
        value += group.shfl_down(value, step);
    }
    return group.shfl(value, 0);
}

__device__ void wait_for(cg::thread_group group)
{
    group.sync();
}

struct Pair {
    double value;
    int place;
};

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[64];
    cg::thread_block block = cg::this_thread_block();
    assert(block.size() == 64 && block.num_threads() == 64);
    assert(block.thread_rank() == threadIdx.y * 8 + threadIdx.x);
    assert(block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y);
    assert(block.group_dim().x == 8 && block.dim_threads().y == 8);
    int rank = block.thread_rank();
    part[rank] = rank;
    block.sync();
    float other = part[63 - rank];
    cg::sync(block);
    part[rank] = other;
    wait_for(block);
    assert(part[63 - rank] == rank);

    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    assert(warp.size() == 32 && warp.thread_rank() == rank % 32 && warp.num_threads() == 32);
    assert(warp.meta_group_rank() == rank / 32 && warp.meta_group_size() == 2);
    assert(sum_of(warp, 1.0f) == 32.0f);
    auto four = cg::tiled_partition<4>(warp);
    assert(four.size() == 4 && four.thread_rank() == rank % 4);
    assert(sum_of(four, rank) == 4 * (rank / 4 * 4) + 6);
    assert(four.shfl_xor(rank, 1) == (rank ^ 1));
    assert(four.shfl_up(rank, 1) == (rank % 4 ? rank - 1 : rank));
    assert(four.ballot(rank % 2) == 0xau && four.any(rank % 4 == 3) && !four.all(rank % 4 == 3));
    assert(four.match_any(rank % 2) == (rank % 2 ? 0xau : 0x5u));
    int equal = 2;
    assert(four.match_all(rank / 4, equal) == 0xfu && equal == 1);
    assert(cg::tiled_partition<1>(block).size() == 1);
    Pair pair = {0.5 * rank, rank};
    pair = four.shfl(pair, 2);
    assert(pair.place == rank / 4 * 4 + 2 && pair.value == 0.5 * pair.place);
    cg::thread_group eight = cg::tiled_partition(cg::this_thread_block(), 8);
    assert(eight.size() == 8 && eight.thread_rank() == rank % 8);
    eight.sync();

    block.sync();
    part[rank] = rank;
    warp.sync();
    assert(part[rank ^ 31] == (rank ^ 31));
    warp.sync();
    if (rank % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int count = 11;
        int first = rank < 32 ? 0 : 33;
        assert(active.size() == count && active.thread_rank() == (rank - first) / 3);
        assert(active.shfl(rank, 1) == first + 3 && active.ballot(rank == first + 3) == 2u);
        assert(active.shfl_up(rank, 1) == (rank == first ? rank : rank - 3));
        assert(active.shfl_down(rank, 1) == (rank + 3 < first + 3 * count ? rank + 3 : rank));
        assert(active.any(1) && active.all(1) && active.match_any(rank % 2) != 0);
        active.sync();
    }
    C[rank] = part[rank];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(8, 8);
    launch->grid = dim3(1);
}
