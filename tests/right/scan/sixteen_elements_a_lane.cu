// expect: pass  (one warp, whose lanes scan sixteen elements in registers)
#include "kernel.cuh"

#define EACH 16

__global__ void scan(const float *x, float *y, int N)
{
    const int lane = threadIdx.x;
    float before = 0.0f;
    for (int start = 0; start < N; start += 32 * EACH) {
        const int first = start + EACH * lane;
        float sums[EACH];
        #pragma unroll
        for (int k = 0; k < EACH; k += 4) {
            float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            if (first + k + 4 <= N) {
                four = *(const float4 *)(x + first + k);
            } else {
                four.x = first + k < N ? x[first + k] : 0.0f;
                four.y = first + k + 1 < N ? x[first + k + 1] : 0.0f;
                four.z = first + k + 2 < N ? x[first + k + 2] : 0.0f;
            }
            sums[k] = four.x;
            sums[k + 1] = sums[k] + four.y;
            sums[k + 2] = sums[k + 1] + four.z;
            sums[k + 3] = sums[k + 2] + four.w;
        }
        #pragma unroll
        for (int k = 4; k < EACH; ++k) {
            sums[k] += sums[k / 4 * 4 - 1];
        }

        float up_to = sums[EACH - 1];
        for (int step = 1; step < 32; step *= 2) {
            const float below = __shfl_up_sync(0xffffffffu, up_to, step);
            up_to += lane >= step ? below : 0.0f;
        }
        const float below = __shfl_up_sync(0xffffffffu, up_to, 1);
        const float offset = before + (lane > 0 ? below : 0.0f);
        for (int k = 0; k < EACH; ++k) {
            if (first + k < N) {
                y[first + k] = sums[k] + offset;
            }
        }
        before += __shfl_sync(0xffffffffu, up_to, 31);
    }
}

LAUNCH_CONFIG(scan, N)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
