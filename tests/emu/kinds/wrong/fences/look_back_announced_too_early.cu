// expect: race 50 59  (the state is set before the sum is there)
// launch: 1x400x1
// result: [sum(B[: i + 1]) for i in range(N)]
#include "matmul.cuh"

#define THREADS 64

enum { EMPTY, OWN, ALL };  // what a block has published: nothing, its own sum, that of all up to it

__global__ void clear(const float *A, const float *B, float *C, int M, int N, int K,
                      float *workspace)
{
    workspace[threadIdx.x] = 0.0f;
}

__global__ void scan(const float *A, const float *B, float *C, int M, int N, int K,
                     float *workspace)
{
    __shared__ float sums[THREADS];
    __shared__ int drawn;
    __shared__ float before;
    int *next = (int *)workspace;
    volatile int *state = (volatile int *)workspace + 1;
    float *own = workspace + 16;
    float *all = workspace + 32;

    const int t = threadIdx.x;
    if (t == 0) {
        drawn = atomicAdd(next, 1);  // blocks take their parts in the order in which they start
    }
    __syncthreads();  // the number is there
    const int part = drawn;
    const int i = part * THREADS + t;
    sums[t] = i < N ? B[i] : 0.0f;
    __syncthreads();  // the values are there
    for (int step = 1; step < THREADS; step *= 2) {
        const float left = t >= step ? sums[t - step] : 0.0f;
        __syncthreads();  // the old sums are read
        sums[t] += left;
        __syncthreads();  // the new sums are there
    }
    if (t == 0) {
        const float sum = sums[THREADS - 1];
        state[part] = OWN;
        own[part] = sum;
        float total = 0.0f;
        for (int other = part - 1; other >= 0; --other) {
            int seen;
            do {
                seen = state[other];
            } while (seen == EMPTY);
            __threadfence();  // the sum is read after its announcement
            total += seen == ALL ? all[other] : own[other];
            if (seen == ALL) {
                break;
            }
        }
        before = total;
        state[part] = ALL;
        all[part] = total + sum;
    }
    __syncthreads();  // the sum before this part is there
    if (i < N) {
        C[i] = before + sums[t];
    }
}

__global__ void fences(const float *A, const float *B, float *C, int M, int N, int K)
{
}

LAUNCH_CONFIG(fences, M, N, K)
{
    launch->workspace_bytes = 4 * 64;
    LAUNCH(clear, dim3(1), dim3(64));
    LAUNCH(scan, dim3(ceil_div(N, THREADS)), dim3(THREADS));
}
