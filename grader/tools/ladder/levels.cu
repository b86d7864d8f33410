// How long each memory makes a thread wait, and how many bytes it delivers; levels.c launches
// these.
//
// chase_*: one thread follows a chain of addresses, in which each load gives the address of the
// next one. So no load can start before the one before it has arrived.

typedef unsigned long long u64;

struct chase_times {
    u64 clocks, ns, end;  // `end` is written so that the loads are needed
};

static __device__ u64 nanoseconds()
{
    u64 ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

// Follows the chain `warm` times, then `steps` times on the clock.
#define CHASE(STEP)                                                  \
    for (int i = 0; i < warm; i++) {                                 \
        STEP;                                                        \
    }                                                                \
    u64 ns = nanoseconds();                                          \
    long long clocks = clock64();                                    \
    _Pragma("unroll 16") for (int i = 0; i < steps; i++)             \
    {                                                                \
        STEP;                                                        \
    }                                                                \
    asm volatile("" ::"l"((u64)at));                                 \
    clocks = clock64() - clocks;                                     \
    times->clocks = clocks;                                          \
    times->ns = nanoseconds() - ns;                                  \
    times->end = at;

extern "C" __global__ void chase_shared(u64 start, int warm, int steps, chase_times *times)
{
    __shared__ unsigned chain[1024];
    unsigned first = (unsigned)__cvta_generic_to_shared(chain);
    for (int i = 0; i < 1024; i++) {
        chain[i] = first + 4 * ((i + 33) % 1024);
    }
    unsigned at = first + (unsigned)start;
    CHASE(asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory"))
}

extern "C" __global__ void chase_l1(u64 at, int warm, int steps, chase_times *times)
{
    CHASE(asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at)::"memory"))
}

// Around L1: from L2, or from global memory if L2 does not have it.
extern "C" __global__ void chase_l2(u64 at, int warm, int steps, chase_times *times)
{
    CHASE(asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory"))
}

#define CONSTANT_CHAIN 16  // links of 64 bytes, 1 KB: fits into the constant cache of an SM
#define LINK(i)        (64 * (((i) + 5) % CONSTANT_CHAIN))
#define ROW(i)         {LINK(i)}
__constant__ unsigned constant_chain[CONSTANT_CHAIN][16] = {
    ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7),
    ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};

extern "C" __global__ void chase_constant(u64 start, int warm, int steps, chase_times *times)
{
    unsigned at = (unsigned)start;
    CHASE(at = *(const unsigned *)((const char *)constant_chain + at);
          asm volatile("" : "+r"(at)))
}

// read_*: all threads read 16 bytes each, again and again.

static __device__ void keep(float4 sum, float *out)
{
    if (sum.x + sum.y + sum.z + sum.w == -1.0f) {  // never true, as in peak.cu
        *out = sum.x;
    }
}

#define READ(LOAD, FROM)                                                     \
    {                                                                        \
        float4 v;                                                            \
        asm volatile(LOAD : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) FROM); \
        sum.x += v.x;                                                        \
        sum.y += v.y;                                                        \
        sum.z += v.z;                                                        \
        sum.w += v.w;                                                        \
    }

// count: a power of two, as below. The address changes with each load, because the compiler would
// join loads of the same one.
extern "C" __global__ void read_shared(const float4 *from, unsigned count, int rounds, float *out)
{
    __shared__ float4 values[1024];
    values[threadIdx.x] = from[threadIdx.x & (count - 1)];
    __syncthreads();
    unsigned first = (unsigned)__cvta_generic_to_shared(values), at = threadIdx.x;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 16
    for (int i = 0; i < rounds; i++) {
        READ("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];", : "r"(first + 16 * (at & 1023)))
        at += 32;
    }
    keep(sum, out);
}

// All blocks read the same 16 KB, so that they stay in L1.
extern "C" __global__ void read_l1(const float4 *from, unsigned count, int rounds, float *out)
{
    unsigned at = threadIdx.x;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 16
    for (int i = 0; i < rounds; i++) {
        READ("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];", : "l"(from + (at & (count - 1))))
        at += 32;
    }
    keep(sum, out);
}

extern "C" __global__ void read_l2(const float4 *from, unsigned count, int rounds, float *out)
{
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 8
    for (int i = 0; i < rounds; i++) {
        READ("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];", : "l"(from + (at & (count - 1))))
        at += gridDim.x * blockDim.x;
    }
    keep(sum, out);
}

// Each block of 256 threads copies 1,024 times 16 bytes.
extern "C" __global__ void copy_global(const float4 *from, float4 *to)
{
    size_t at = (size_t)blockIdx.x * 1024 + threadIdx.x;
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        v[i] = from[at + 256 * i];
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        to[at + 256 * i] = v[i];
    }
}
