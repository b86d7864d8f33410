// Reductions and scans of tiles and of coalesced threads.
// row: `<cooperative_groups/reduce.h>` and `scan.h`
// launch: 8x8x8
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "matmul.cuh"

namespace cg = cooperative_groups;

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto eight = cg::tiled_partition<8>(warp);
    int rank = warp.thread_rank();
    assert(cg::reduce(warp, rank, cg::plus<int>()) == 496);
    assert(cg::reduce(eight, (float)rank, cg::plus<float>()) == 64.0f * (rank / 8) + 28.0f);
    assert(cg::reduce(eight, rank, cg::less<int>()) == rank / 8 * 8);
    assert(cg::reduce(eight, rank, cg::greater<int>()) == rank / 8 * 8 + 7);
    assert(cg::reduce(warp, 1u << rank, cg::bit_or<unsigned>()) == 0xffffffffu);
    assert(cg::reduce(warp, rank % 5, [](int x, int y) { return x > y ? x : y; }) == 4);
    assert(cg::inclusive_scan(warp, rank) == rank * (rank + 1) / 2);
    assert(cg::exclusive_scan(eight, 1, cg::plus<int>()) == rank % 8);
    if (rank % 2) {
        cg::coalesced_group odd = cg::coalesced_threads();
        assert(cg::reduce(odd, rank, cg::plus<int>()) == 256);
        assert(cg::inclusive_scan(odd, 1) == rank / 2 + 1);
    }
    C[rank] = rank;
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
