// Votes, matches and reductions.
// row: `__any_sync`, `__ballot_sync`, `__activemask`, `__match_any_sync` …
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int t = threadIdx.x;
    const unsigned all = 0xffffffffu;
    int same;
    assert(__all_sync(all, t < 32) != 0);
    assert(__all_sync(all, t < 31) == 0);
    assert(__any_sync(all, t == 31) != 0);
    assert(__any_sync(all, t == 32) == 0);
    assert(__ballot_sync(all, t % 4 == 1) == 0x22222222u);
    assert(__match_any_sync(all, t % 2) == (t % 2 ? 0xaaaaaaaau : 0x55555555u));
    assert(__match_all_sync(all, 7.0f, &same) == all && same == 1);
    assert(__match_all_sync(all, t, &same) == 0 && same == 0);
    assert(__reduce_add_sync(all, t) == 496);
    assert(__reduce_min_sync(all, t - 5) == -5);
    assert(__reduce_max_sync(all, (unsigned)(t - 5)) == 0xffffffffu);
    assert(__reduce_and_sync(all, (unsigned)t | 64u) == 64u);
    assert(__reduce_or_sync(all, 1u << t) == all);
    assert(__reduce_xor_sync(all, 1u) == 0u);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
