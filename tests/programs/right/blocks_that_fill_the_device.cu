// prints: 1024 2 32 4096
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

__global__ void work() {
}

int main() {
    int grid = 0, block = 0, blocks = 0, shared_block = 0;
    size_t shared = 0;
    nvtxRangePushA("occupancy");
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 0, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, block, 0);
    // One KiB for each thread: without cudaFuncSetAttribute a block has 48.
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &shared_block, work,
                                                   [](int threads) { return threads * 1024; }, 256);
    cudaOccupancyAvailableDynamicSMemPerBlock(&shared, work, 32, 32);
    nvtxRangePop();
    printf("%d %d %d %d\n", block, blocks, shared_block, shared > 4096 ? 4096 : (int)shared);
    return 0;
}
