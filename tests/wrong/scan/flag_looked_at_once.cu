// expect: race 21 32  (a part whose sum is not there yet is taken for 0)
#include "kernel.cuh"

#define PART 256

__global__ void clear(const float *x, float *y, int N, float *workspace)
{
    for (int i = threadIdx.x; i < 2 * ceil_div(N, PART); i += 128) {
        ((int *)workspace)[i] = 0;
    }
}

__global__ void scan_parts(const float *x, float *y, int N, float *workspace)
{
    const int part = blockIdx.x;
    int *flags = (int *)workspace;
    volatile float *sums = workspace + ceil_div(N, PART);

    if (threadIdx.x == 0) {
        float sum = 0.0f;
        if (part > 0 && atomicAdd(&flags[part - 1], 0) != 0) {
            __threadfence();
            sum = sums[part - 1];
        }
        const int end = min(N, (part + 1) * PART);
        for (int i = part * PART; i < end; ++i) {
            sum += x[i];
            y[i] = sum;
        }
        sums[part] = sum;
        __threadfence();
        atomicExch(&flags[part], 1);
    }
}

__global__ void scan(const float *x, float *y, int N)
{
}

LAUNCH_CONFIG(scan, N)
{
    launch->workspace_bytes = sizeof(float) * 2 * ceil_div(N, PART);
    LAUNCH(clear, dim3(1), dim3(128));
    LAUNCH(scan_parts, dim3(ceil_div(N, PART)), dim3(32));
}
