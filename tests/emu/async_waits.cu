// Asynchronous copies that are waited for: the thread's own after its wait, all others after the
// barrier that follows; rings of buffers; copies of 4, 8 and 16 bytes, some of them filled up with
// zeros.
// row: `<cuda_pipeline.h>`: `__pipeline_memcpy_async`, `_commit`, `_wait_prior`
// launch: 8x8x8
#include "matmul.cuh"
#include <cuda_pipeline.h>

#define STAGES 3

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float mine[32];
    __shared__ float4 fours[32];
    __shared__ float2 twos[32];
    __shared__ float ring[STAGES][32];
    int i = threadIdx.x;

    // The thread's own: no barrier.
    __pipeline_memcpy_async(&mine[i], &A[i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    assert(mine[i] == A[i]);

    // Of other lanes of the warp: a __syncwarp() after the wait.
    __syncwarp();
    assert(mine[31 - i] == A[31 - i]);

    // Of others: a barrier after the wait.  A group may be empty.
    __pipeline_memcpy_async(&twos[i], &A[2 * i], 8);
    __pipeline_memcpy_async(&fours[i], &B[4 * (i % 16)], 16, 4 * (i % 5));
    __pipeline_commit();
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    int other = 31 - i;
    assert(twos[other].y == A[2 * other + 1]);
    assert(fours[other].x == (other % 5 == 4 ? 0.0f : B[4 * (other % 16)]));
    assert(fours[other].w == (other % 5 != 0 ? 0.0f : B[4 * (other % 16) + 3]));

    // Tiles ahead, one barrier a tile.
    float sum = 0.0f;
    for (int stage = 0; stage < STAGES - 1; stage++) {
        __pipeline_memcpy_async(&ring[stage][i], &A[32 * (stage % 2) + i], 4);
        __pipeline_commit();
    }
    for (int step = 0; step < 8; step++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int next = step + STAGES - 1;
        if (next < 8) {
            __pipeline_memcpy_async(&ring[next % STAGES][i], &A[32 * (next % 2) + i], 4);
        }
        __pipeline_commit();
        assert(ring[step % STAGES][other] == A[32 * (step % 2) + other]);
        sum += ring[step % STAGES][other];
    }
    C[i] = sum;
    C[32 + i] = sum;

    // Left under way: no thread reads it.
    __pipeline_memcpy_async(&mine[i], &A[i], 4);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
