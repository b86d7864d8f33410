// Each atomic operation once, by one thread, with the value it returns.
// row: `atomicAdd` and the others, with `_block` and `_system`
// launch: 8x8x8
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ int i;
    __shared__ unsigned u;
    __shared__ unsigned long long l;
    __shared__ float f;
    if (threadIdx.x == 0) {
        i = 10;
        u = 10;
        l = 10;
        f = 1.5f;
        assert(atomicAdd(&i, 5) == 10 && i == 15);
        assert(atomicSub(&i, 20) == 15 && i == -5);
        assert(atomicMin(&i, -7) == -5 && i == -7);
        assert(atomicMax(&i, 3) == -7 && i == 3);
        assert(atomicExch(&i, 6) == 3 && i == 6);
        assert(atomicAnd(&i, 12) == 6 && i == 4);
        assert(atomicOr(&i, 3) == 4 && i == 7);
        assert(atomicXor(&i, 5) == 7 && i == 2);
        assert(atomicCAS(&i, 3, 9) == 2 && i == 2);
        assert(atomicCAS(&i, 2, 9) == 2 && i == 9);
        assert(atomicMin(&u, 0xffffffffu) == 10 && u == 10);
        assert(atomicInc(&u, 10) == 10 && u == 0);
        assert(atomicInc(&u, 10) == 0 && u == 1);
        assert(atomicDec(&u, 10) == 1 && u == 0);
        assert(atomicDec(&u, 10) == 0 && u == 10);
        assert(atomicAdd(&l, 1ull << 40) == 10 && l == (1ull << 40) + 10);
        assert(atomicMax(&l, 5ull) == (1ull << 40) + 10);
        assert(atomicExch(&f, 2.5f) == 1.5f);
        assert(atomicAdd(&f, 0.25f) == 2.5f && f == 2.75f);
    }
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
