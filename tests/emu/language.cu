// Templates, lambdas, members, constexpr, references, attributes.
// row: templates, lambdas, members, operators, references, C++17
// launch: 8x8x8
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <math.h>
#include <cmath>
#include <stdio.h>
#include <stdint.h>
#include <cstdint>
#include <limits.h>
#include <float.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
#include "matmul.cuh"

template <int SIZE> struct Tile {
    float cell[SIZE];
    __device__ __forceinline__ void clear()
    {
#pragma unroll
        for (int i = 0; i < SIZE; i++) {
            cell[i] = 0.0f;
        }
    }
    __device__ float sum() const
    {
        float total = 0.0f;
        for (float value : cell) {
            total += value;
        }
        return total;
    }
};

static __device__ __noinline__ float larger(float x, float y)
{
    if (x > y)
        return x;
    else
        return y;
}

#if __CUDACC_VER_MAJOR__ < 12 || !defined(__CUDACC_VER_MINOR__) || !defined(__CUDACC_VER_BUILD__)
#error these belong to CUDA
#endif

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int tiles = ceil_div(33, 16);
    static_assert(tiles == 3, "a constant");
    Tile<4> tile;
    tile.clear();
    auto square = [&](int x) { return x * x + tiles - 3; };
    tile.cell[square(1)] = larger(2.0f, 3.0f);
    assert(tile.sum() == 3.0f);
    assert(min(3, 4) == 3 && max(2.0f, 1.0f) == 2.0f && max(1u, 2u) == 2u && abs(-3) == 3);
    assert(fmaf(2.0f, 3.0f, 1.0f) == 7.0f && __fmaf_rn(2.0f, 3.0f, 1.0f) == 7.0f);
    assert(sqrtf(9.0f) == 3.0f && sqrt(9.0f) == 3.0f && fabsf(-1.0f) == 1.0f);
    assert(__popc(7) == 3 && __clz(1) == 31 && __ffs(8) == 4 && __brev(1) == 0x80000000u);
    assert(__fns(0x58u, 0, 2) == 4 && __fns(0x58u, 5, -1) == 4 && __fns(0x58u, 3, 0) == 3);
    assert(__fns(0x58u, 4, 3) == ~0u && __fns(0x58u, 5, 0) == ~0u);
    assert(__float_as_int(1.0f) == 0x3f800000 && INT_MAX == 2147483647 && FLT_MAX > 1e38f);
    assert(__ldg(&A[0]) == A[0]);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
