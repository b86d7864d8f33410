// expect: race 71 76  (the sum may be read before its state)
#include "kernel.cuh"

#define THREADS 128

enum { EMPTY, OWN, ALL };

__global__ void clear(const float *x, float *y, int N, float *workspace)
{
    int *state = (int *)workspace;
    for (int i = threadIdx.x; i <= ceil_div(N, 4 * THREADS); i += THREADS) {
        state[i] = EMPTY;
    }
}

__device__ float warp_scan(float sum)
{
    for (int step = 1; step < 32; step *= 2) {
        const float below = __shfl_up_sync(0xffffffff, sum, step);
        if (threadIdx.x % 32 >= step) {
            sum += below;
        }
    }
    return sum;
}

__global__ void scan_parts(const float *x, float *y, int N, float *workspace)
{
    __shared__ float sums[4];
    __shared__ float before;
    __shared__ int drawn;
    const int parts = ceil_div(N, 4 * THREADS);
    int *tickets = (int *)workspace;
    volatile int *state = tickets + 1;
    float *own = workspace + 1 + parts;
    float *all = own + parts;

    const int t = threadIdx.x;
    if (t == 0) {
        drawn = atomicAdd(tickets, 1);
    }
    __syncthreads();  // the number of the part is known
    const int part = drawn;
    const int first = (part * THREADS + t) * 4;
    float value[4];
    for (int k = 0; k < 4; ++k) {
        value[k] = (k > 0 ? value[k - 1] : 0.0f) + (first + k < N ? x[first + k] : 0.0f);
    }
    const float up_to = warp_scan(value[3]);
    const float below = __shfl_up_sync(0xffffffff, up_to, 1);
    if (t % 32 == 31) {
        sums[t / 32] = up_to;
    }
    __syncthreads();  // the warps have stored their sums
    float offset = t % 32 > 0 ? below : 0.0f;
    for (int w = 0; w < t / 32; ++w) {
        offset += sums[w];
    }
    if (t == 0) {
        const float sum = sums[0] + sums[1] + sums[2] + sums[3];
        own[part] = sum;
        __threadfence();  // the sum is there before its state
        state[part] = OWN;
        float total = 0.0f;
        for (int other = part - 1; other >= 0; --other) {
            int seen;
            do {
                seen = state[other];
            } while (seen == EMPTY);
            if (seen == ALL) {
                total += all[other];
                break;
            }
            total += own[other];
        }
        all[part] = total + sum;
        __threadfence();  // the sum is there before its state
        state[part] = ALL;
        before = total;
    }
    __syncthreads();  // the sum before this part is known
    for (int k = 0; k < 4; ++k) {
        if (first + k < N) {
            y[first + k] = before + offset + value[k];
        }
    }
}

__global__ void scan(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(scan, N)
{
    const int parts = ceil_div(N, 4 * THREADS);
    launch->workspace_bytes = sizeof(float) * (1 + 3 * parts);
    LAUNCH(clear, dim3(1), dim3(THREADS));
    LAUNCH(scan_parts, dim3(parts), dim3(THREADS));
}
