#include "kernel.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// CUDA Samples, threadFenceReduction: reduceSinglePass
#define BS 256
template <unsigned int blockSize>
__device__ void reduceBlock(volatile float *sdata, float mySum, const unsigned int tid,
                            cg::thread_block cta) {
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    sdata[tid] = mySum;
    cg::sync(tile32);
    const int VEC = 32;
    const int vid = tid & (VEC - 1);
    float beta = mySum;
    float temp;
    for (int i = VEC / 2; i > 0; i >>= 1) {
        if (vid < i) {
            temp = sdata[tid + i];
            beta += temp;
            sdata[tid] = beta;
        }
        cg::sync(tile32);
    }
    cg::sync(cta);
    if (cta.thread_rank() == 0) {
        beta = 0;
        for (int i = 0; i < blockDim.x; i += VEC) {
            beta += sdata[i];
        }
        sdata[0] = beta;
    }
    cg::sync(cta);
}
__device__ void reduceBlocks(const float *g_idata, float *g_odata, unsigned int n,
                             cg::thread_block cta) {
    extern __shared__ float sdata[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (BS * 2) + threadIdx.x;
    unsigned int gridSize = BS * 2 * gridDim.x;
    float mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (i + BS < n)
            mySum += g_idata[i + BS];
        i += gridSize;
    }
    reduceBlock<BS>(sdata, mySum, tid, cta);
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__global__ void clear(const float *x, float *y, int N, float *w) {
    *(unsigned *)w = 0;
}
__global__ void single_pass(const float *g_idata, float *y, int n, float *w) {
    cg::thread_block cta = cg::this_thread_block();
    unsigned int *retirementCount = (unsigned int *)w;
    float *g_odata = w + 32;
    reduceBlocks(g_idata, g_odata, n, cta);
    if (gridDim.x > 1) {
        const unsigned int tid = threadIdx.x;
        __shared__ bool amLast;
        extern float __shared__ smem[];
        __threadfence();
        if (tid == 0) {
            unsigned int ticket = atomicInc(retirementCount, gridDim.x);
            amLast = (ticket == gridDim.x - 1);
        }
        cg::sync(cta);
        if (amLast) {
            int i = tid;
            float mySum = 0;
            while (i < gridDim.x) {
                mySum += g_odata[i];
                i += BS;
            }
            reduceBlock<BS>(smem, mySum, tid, cta);
            if (tid == 0) {
                y[0] = smem[0];
                *retirementCount = 0;
            }
        }
    } else if (threadIdx.x == 0) {
        y[0] = g_odata[0];
    }
}
__global__ void reduction(const float *x, float *y, int N) {
}
LAUNCH_CONFIG(reduction, N) {
    const int blocks = min(528, ceil_div(N, 2 * BS));
    launch->workspace_bytes = 4 * (32 + blocks);
    LAUNCH(clear, dim3(1), dim3(1));
    LAUNCH(single_pass, dim3(blocks), dim3(BS), BS * sizeof(float));
}
