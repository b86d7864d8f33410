// All four shuffles, with all widths and types.
// row: `__syncwarp`, `__shfl_sync` and its `_up`, `_down`, `_xor`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    const unsigned all = 0xffffffffu;
    assert(__shfl_sync(all, t * 10, 5) == 50);
    assert(__shfl_sync(all, t, 37) == 5);
    assert(__shfl_sync(all, t, 3, 8) == t / 8 * 8 + 3);
    assert(__shfl_up_sync(all, t, 2) == (t < 2 ? t : t - 2));
    assert(__shfl_up_sync(all, t, 3, 16) == (t % 16 < 3 ? t : t - 3));
    assert(__shfl_down_sync(all, t, 4) == (t > 27 ? t : t + 4));
    assert(__shfl_down_sync(all, t, 1, 4) == (t % 4 == 3 ? t : t + 1));
    assert(__shfl_xor_sync(all, t, 16) == (t ^ 16));
    assert(__shfl_xor_sync(all, (unsigned)t, 1, 2) == (unsigned)(t ^ 1));
    assert(__shfl_sync(all, (float)t + 0.5f, 7) == 7.5f);
    assert(__shfl_xor_sync(all, (double)t * 1e10, 3) == (double)(t ^ 3) * 1e10);
    const long long next = t == 31 ? t : t + 1;
    assert(__shfl_down_sync(all, (long long)t << 40, 1) == next << 40);
    const unsigned long long before = t == 0 ? 0 : t - 1;
    assert(__shfl_up_sync(all, (unsigned long long)t, 1) == before);
    float sum = 1.0f;
    for (int delta = 16; delta > 0; delta /= 2) {
        sum += __shfl_down_sync(all, sum, delta);
    }
    assert(t != 0 || sum == 32.0f);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
