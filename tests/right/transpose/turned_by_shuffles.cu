// expect: pass  (a warp exchanges its registers in five steps, without shared memory)
#include "kernel.cuh"

__global__ void transpose(const float *x, float *y, int H, int W)
{
    const int lane = threadIdx.x;
    const int row = blockIdx.y * 32, col = blockIdx.x * 32;
    float v[32];
    #pragma unroll
    for (int r = 0; r < 32; ++r) {
        v[r] = row + r < H && col + lane < W ? x[(row + r) * W + col + lane] : 0.0f;
    }
    #pragma unroll
    for (int s = 16; s > 0; s >>= 1) {
        #pragma unroll
        for (int r = 0; r < 32; ++r) {
            if ((r & s) == 0) {
                const bool up = (lane & s) != 0;
                const float give = up ? v[r] : v[r | s];
                const float got = __shfl_xor_sync(0xffffffffu, give, s);
                if (up) {
                    v[r] = got;
                } else {
                    v[r | s] = got;
                }
            }
        }
    }
    #pragma unroll
    for (int r = 0; r < 32; ++r) {
        if (col + r < W && row + lane < H) {
            y[(col + r) * H + row + lane] = v[r];
        }
    }
}

LAUNCH_CONFIG(transpose, H, W)
{
    launch->block = dim3(32);
    launch->grid = dim3(ceil_div(W, 32), ceil_div(H, 32));
}
