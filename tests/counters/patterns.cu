// One-warp access patterns, for the CPU device and for a GPU under Nsight Compute: launch number
// `N - PATTERN_FIRST` runs one pattern of global and one of shared memory from the table, and from
// SHAPE_FIRST on, shapes of divergent code.
//
// On the GPU each launch is a separate kernel (tests/gpu/counters.cu), so that no instruction of
// another pattern is executed with all its lanes inactive.
#include "matmul.cuh"

#include "patterns.h"

#define TILE_BYTES 24576

struct pattern {
    int kind;
    unsigned bytes, base, keep, divide, modulo, stride, seed, mask;
};

#define ROW(name, kind, bytes, base, keep, divide, modulo, stride, seed, mask, r, u, i)            \
    {kind, bytes, base, keep, divide, modulo, stride, seed, mask},
#ifdef __TILEGRADE_EMU__
#define TABLE __constant__ const
#else
#define TABLE constexpr
#endif
TABLE struct pattern global_patterns[] = {GLOBAL_PATTERNS(ROW)};
TABLE struct pattern shared_patterns[] = {SHARED_PATTERNS(ROW)};
#undef TABLE
#undef ROW

__device__ __forceinline__ unsigned offset_of(struct pattern p, unsigned lane) {
    unsigned i = lane & p.keep;
    if (p.seed != 0) {
        i = (i * 2654435761u + p.seed * 40503u) * 2246822519u >> 16;
    }
    return p.base + i / p.divide % p.modulo * p.stride;
}

__device__ __forceinline__ float total(float v) {
    return v;
}

__device__ __forceinline__ float total(float2 v) {
    return v.x + v.y;
}

__device__ __forceinline__ float total(float4 v) {
    return v.x + v.y + v.z + v.w;
}

// One access of `bytes` to `memory`; what it reads goes to `sum`.
#define ACCESS(memory, p, sum)                                                                     \
    if (p.mask >> lane & 1) {                                                                      \
        char *at = (char *)(memory) + offset_of(p, lane);                                          \
        if (p.kind == LOAD && p.bytes == 1) {                                                      \
            sum += (float)*(const unsigned char *)at;                                              \
        } else if (p.kind == LOAD && p.bytes == 2) {                                               \
            sum += (float)*(const unsigned short *)at;                                             \
        } else if (p.kind == LOAD && p.bytes == 4) {                                               \
            sum += total(*(const float *)at);                                                      \
        } else if (p.kind == LOAD && p.bytes == 8) {                                               \
            sum += total(*(const float2 *)at);                                                     \
        } else if (p.kind == LOAD) {                                                               \
            sum += total(*(const float4 *)at);                                                     \
        } else if (p.kind == STORE && p.bytes == 1) {                                              \
            *(unsigned char *)at = (unsigned char)lane;                                            \
        } else if (p.kind == STORE && p.bytes == 2) {                                              \
            *(unsigned short *)at = (unsigned short)lane;                                          \
        } else if (p.kind == STORE && p.bytes == 4) {                                              \
            *(float *)at = (float)lane;                                                            \
        } else if (p.kind == STORE && p.bytes == 8) {                                              \
            *(float2 *)at = make_float2((float)lane, 1.0f);                                        \
        } else if (p.kind == STORE) {                                                              \
            *(float4 *)at = make_float4((float)lane, 1.0f, 2.0f, 3.0f);                            \
        } else if (p.kind == REDUCE && p.bytes == 4) {                                             \
            atomicAdd((unsigned *)at, lane);                                                       \
        } else if (p.kind == REDUCE) {                                                             \
            atomicAdd((unsigned long long *)at, (unsigned long long)lane);                         \
        } else if (p.bytes == 4) {                                                                 \
            sum += (float)atomicAdd((unsigned *)at, lane);                                         \
        } else {                                                                                   \
            sum += (float)atomicAdd((unsigned long long *)at, (unsigned long long)lane);           \
        }                                                                                          \
    }

// --- Divergent code: each load of A is 4 bytes, lane by lane ------------------

static __device__ inline float row_sum(const float *row, int count) {
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        sum += row[i * 32];
    }
    return sum;
}

// Even lanes make 1 iteration, then 3; odd lanes make 3, then 1.
static __device__ inline float rounds_alternate(const float *A, int lane) {
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        int rounds = (i + lane) % 2 == 0 ? 1 : 3;
#pragma unroll 1
        for (int j = 0; j < rounds; j++) {
            sum += A[lane + 32 * (i * 3 + j)];
        }
    }
    return sum;
}

// The same with a load in the outer loop too.
static __device__ inline float rounds_with_outer_load(const float *A, int lane) {
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        int rounds = (i + lane) % 2 == 0 ? 1 : 3;
        sum += A[2048 + lane + 32 * i];
#pragma unroll 1
        for (int j = 0; j < rounds; j++) {
            sum += A[lane + 32 * (i * 3 + j)];
        }
    }
    return sum;
}

// Each lane makes as many iterations as its number.
static __device__ inline float rounds_by_lane(const float *A, int lane) {
    return row_sum(A + lane, lane) + A[4096 + lane];
}

// Every third lane makes an extra access between two accesses that all lanes make.
static __device__ inline float some_skip(const float *A, int lane) {
    float sum = A[lane];
#pragma unroll 1
    for (int i = 0; i < 5; i++) {
        if ((lane + i) % 3 == 0) {
            sum += A[1024 + lane + 32 * i];
        }
        sum += A[lane + 32 * i];
    }
    return sum;
}

// Lanes leave one after the other, in the middle of a loop.
static __device__ inline float some_leave(const float *A, int lane) {
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < 40; i++) {
        sum += A[lane + 32 * i];
        if (i == lane) {
            return sum;
        }
        sum += A[2048 + lane + 32 * i];
    }
    return sum;
}

// Two branches with a call of one function each.
static __device__ inline float two_calls(const float *A, int lane) {
    return lane % 2 == 0 ? row_sum(A + lane, 4) : row_sum(A + 1024 + lane, 4) + 1.0f;
}

static __device__ inline float shape(const float *A, int which, int lane) {
    switch (which) {
    case 0:
        return rounds_alternate(A, lane);
    case 1:
        return rounds_with_outer_load(A, lane);
    case 2:
        return rounds_by_lane(A, lane);
    case 3:
        return some_skip(A, lane);
    case 4:
        return some_leave(A, lane);
    default:
        return two_calls(A, lane);
    }
}

// --- One launch ---------------------------------------------------------------

__device__ __forceinline__ void pattern_run(struct pattern global, struct pattern shared,
                                            const float *B, float *C, int M) {
    __shared__ float4 tile[TILE_BYTES / 16];
    unsigned lane = threadIdx.x;
    float sum = 0.0f;
    if (M < 0) {  // never true, but no compiler knows that
        tile[lane] = make_float4(B[0], B[1], B[2], B[3]);
        __syncthreads();
    }
    ACCESS(C, global, sum);
    ACCESS(tile, shared, sum);
    if (sum == 12345.678f) {  // never true: it keeps the loads
        C[0] = sum;
    }
}

__device__ __forceinline__ void shape_run(const float *A, float *C, int which) {
    float sum = shape(A, which, (int)threadIdx.x);
    if (sum == 12345.678f) {
        C[0] = sum;
    }
}

#ifdef __TILEGRADE_EMU__
__global__ void matmul_patterns(const float *A, const float *B, float *C, int M, int N, int K) {
    if (N >= SHAPE_FIRST) {
        shape_run(A, C, N - SHAPE_FIRST);
    } else {
        pattern_run(global_patterns[N - PATTERN_FIRST],
                    shared_patterns[(N - PATTERN_FIRST) % SHARED_COUNT], B, C, M);
    }
}

LAUNCH_CONFIG(matmul_patterns, M, N, K) {
    launch->block = dim3(32);
    launch->grid = dim3(1);
}
#endif
