// A tile's sync orders its own lanes, not the block; the near miss waits for the block.
// launch: 8x8x8
// expect: uninitialized part @read
// expect: race @write @read
#include <cooperative_groups.h>
#include "matmul.cuh"

namespace cg = cooperative_groups;

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float part[64], whole[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int rank = block.thread_rank();
    part[rank] = rank;  //@write
    whole[rank] = rank;
    tile.sync();
    float other = part[63 - rank];  //@read
    block.sync();
    C[rank] = other + whole[63 - rank];
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(64);
    launch->grid = dim3(1);
}
