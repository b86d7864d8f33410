// Headers by their C and C++ names, and their names in std.
// row: `<math.h>`, `<stdint.h>`, `<stdio.h>`, `<cuda_runtime.h>` …
// launch: 8x8x8
#include <cassert>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <inttypes.h>
#include <math_constants.h>
#include <stdbool.h>
#include <time.h>
#include <vector_types.h>
#include "matmul.cuh"

__global__ void matmul_test(const float *A, const float *B, float *C, int M, int N, int K)
{
    const std::int32_t most = INT32_MAX;
    const std::size_t bytes = sizeof(float);
    assert(std::sqrt(4.0f) == 2.0f && std::fabs(-1.0f) == 1.0f && std::pow(2.0f, 3.0f) == 8.0f);
    assert(isinf(INFINITY) && isnan(NAN) && std::isfinite(FLT_MAX) && !signbit(1.0f));
    assert(most == 2147483647 && UINT_MAX == 0xffffffffu && bytes == 4 && M_PI > 3.14);
    assert(CUDART_INF_F > FLT_MAX && offsetof(float4, w) == 12);
}

LAUNCH_CONFIG(matmul_test, M, N, K)
{
    launch->block = dim3(1);
    launch->grid = dim3(1);
}
