// What a kernel may call and write, all together: it runs, and nothing is found.
// row: mathematics, `__ldg`, `__stcs`, `__fmaf_rn`, `__popc`, `min`, `max` …
// launch: 8x8x8
#include "matmul.cuh"
struct __align__(8) Al {
    float a, b;
};
__constant__ float table[4] = {1, 2, 3, 4};
__device__ constexpr int SIZE = 8;
constexpr int PLAIN = 4;
template <int N> __device__ __forceinline__ int count() {
    if constexpr (N > 3) {
        return N;
    } else {
        return 0;
    }
}
__device__ __noinline__ float scale(const float &x) {
    return x * 2.0f;
}
struct V {
    float x;
    __device__ V operator+(const V &o) const {
        return {x + o.x};
    }
    __device__ float get() const {
        return x;
    }
};
template <typename T, int R> struct Tile {
    T d[R];
    __device__ T &operator()(int i) {
        return d[i];
    }
};
enum class Mode { A, B };
__device__ inline int rec(int n) {
    return n < 2 ? 1 : n * rec(n - 1);
}
template <class... T> __device__ float addall(T... t) {
    return (t + ... + 0.0f);
}
__global__ void __launch_bounds__(256, 2)
    matmul_test(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                int M, int N, int K) {
    extern __shared__ float dyn[];
    __shared__ Al al[4];
    __shared__ float4 f4[4];
    __shared__ float cube[2][3][4];
    __shared__ int si;
    __shared__ unsigned su;
    __shared__ unsigned long long sl;
    __shared__ float sf;
    __shared__ double sd;
    __shared__ long long sll;
    int t = threadIdx.x + threadIdx.y * blockDim.x;
    if (t == 0) {
        si = 0;
        su = 0;
        sl = 0;
        sf = 0;
        sd = 0;
        sll = 0;
    }
    dyn[t] = t;
    if (t < 4) {
        al[t].a = 1;
        al[t].b = 2;
        f4[t] = make_float4(1, 2, 3, 4);
    }
    if (t < 24)
        (&cube[0][0][0])[t] = 1;
    __syncthreads();
    atomicAdd(&si, 1);
    atomicAdd(&su, 1u);
    atomicAdd(&sl, 1ull);
    atomicAdd(&sf, 1.0f);
    atomicAdd(&sd, 1.0);
    atomicMin(&sll, 1ll);
    atomicMax(&sll, 1ll);
    atomicMax_block(&si, 3);
    atomicAdd_system(&si, 1);
    atomicAnd(&su, ~0u);
    atomicXor(&sl, 1ull);
    atomicInc(&su, 100u);
    atomicDec(&su, 100u);
    atomicCAS(&sl, 1ull, 2ull);
    atomicExch(&sf, 2.0f);
    atomicOr_block(&su, 1u);
    atomicSub(&si, 1);
    unsigned short us = 0;
    (void)us;
    __threadfence();
    __threadfence_block();
    __syncwarp();
    int c = __syncthreads_count(t < 5) + __syncthreads_and(1) + __syncthreads_or(0);
    float x = __ldg(&A[t]) + __ldcg(A) + __ldca(A) + __ldcs(A) + __ldcv(A);
    __stcs(&C[t], x);
    __stcg(&C[t], x);
    __stwb(&C[t], x);
    __stwt(&C[t], x);
    float4 v = __ldg((const float4 *)A);
    float2 v2 = __ldg((const float2 *)A);
    double d = __dadd_rn(1.0, 2.0);
    x += __fadd_rn(1, 2) + __fadd_rz(1, 2) + __fsub_rd(1, 2) + __fmul_ru(1, 2) +
         __fmaf_rz(1, 2, 3) + __fdividef(1, 2) + __fdiv_rn(1, 2) + __frcp_rz(2.f) +
         __fsqrt_ru(2.0f) + __frsqrt_rn(2.f);
    x += __expf(1) + __logf(2) + __sinf(1) + __cosf(1) + __tanf(1) + __powf(1, 2) + __exp10f(1) +
         __saturatef(x) + rsqrtf(2.f) + rcbrtf(2.f) + sinpif(1.f) + cospif(1.f) + normcdff(0.f) +
         exp10f(1.f) + norm3df(1, 2, 3) + fdividef(1.f, 2.f);
    float sn, cs;
    __sincosf(1.0f, &sn, &cs);
    sincosf(1.0f, &sn, &cs);
    sincospif(1.f, &sn, &cs);
    sincos(1.0, &d, &d);
    int q;
    x += remquof(5.f, 3.f, &q) + ldexpf(1.f, 2) + scalbnf(1.f, 2) + ilogbf(2.f) + logbf(2.f) +
         fminf(1, 2) + fmaxf(1, 2) + fabsf(-1.f) + truncf(1.f) + lrintf(1.f) + llroundf(1.f) +
         rhypotf(1.f, 2.f) + j0f(1.f) + nextafterf(1.f, 2.f);
    c += __popc(5u) + __popcll(5ull) + __clz(5) + __clzll(5) + __ffs(4) + __ffsll(4) + __brev(1u) +
         (int)__brevll(1ull) + __mul24(2, 3) + __umul24(2u, 3u) + __mulhi(1, 2) + __umulhi(1u, 2u) +
         (int)__mul64hi(1ll, 2ll) + (int)__umul64hi(1ull, 2ull) + __byte_perm(1, 2, 3) +
         __sad(1, 2, 3) + __funnelshift_l(1, 2, 3) + __funnelshift_lc(1, 2, 3) +
         __funnelshift_rc(1, 2, 3) + __dp4a(1, 2, 3);
    c += __float_as_int(x) + __float_as_uint(x) + (int)__double_as_longlong(d) + __double2hiint(d) +
         __double2loint(d);
    d = __hiloint2double(1, 2);
    x += __int_as_float(1) + __uint_as_float(1) + __int2float_rz(1) + __uint2float_rd(1u) +
         __float2int_rz(1.f) + __float2ll_ru(1.f) + __double2float_rz(1.0) + __float2ull_rn(1.f) +
         __float2uint_ru(1.f) + (float)__longlong_as_double(1ll);
    c += min(1, 2) + max(1u, 2u) + (int)min(1.0f, 2.0f) + llmin(1ll, 2ll) + (int)max(1ll, 2ll) +
         umin(1u, 2u) + (int)fmin(1.0, 2.0) + llabs(-1ll) + labs(-1l) + abs(-1);
    c += (int)clock() + (int)clock64();
    long long w = 1;
    c += __shfl_sync(~0u, c, 0) + (int)__shfl_down_sync(~0u, w, 1) +
         (int)__shfl_xor_sync(~0u, d, 1) + (int)__shfl_up_sync(~0u, x, 1, 16);
    c += __any_sync(~0u, 1) + __all_sync(~0u, 1) + __ballot_sync(~0u, 1) + __activemask() +
         __match_any_sync(~0u, c);
    int pr;
    c += __match_all_sync(~0u, c, &pr) + __reduce_add_sync(~0u, c) + __reduce_max_sync(~0u, 2u);
    auto f = [&](int i) { return dyn[i] + x; };
    auto g = [](float a) { return a + 1; };
    Tile<float, 4> tile;
    tile(0) = 1;
    V a{1}, b{2};
    Mode m = Mode::B;
    switch (m) {
    case Mode::A:
        c++;
        break;
    default:
        break;
    }
#pragma unroll 4
    for (int i = 0; i < 4; i++)
        x += cube[i & 1][0][0] + table[i];
    int arr[] = {1, 2, 3};
    for (int e : arr)
        c += e;
    auto [p0, p1] = v2;
    if (int z = c; z > 1)
        x += z;
    if (t == 10000) {
        printf("%d %f\n", c, x);
        assert(c > 0);
        __trap();
        __brkpt();
        __nanosleep(10);
    }
    char2 ch = make_char2(1, 2);
    uchar4 uc = make_uchar4(1, 2, 3, 4);
    short4 sh = make_short4(1, 2, 3, 4);
    ulonglong2 ul = make_ulonglong2(1, 2);
    double3 d4 = make_double3(1, 2, 3);
    longlong3 l4 = make_longlong3(1, 2, 3);
    int3 i3 = make_int3(1, 2, 3);
    uint1 u1 = make_uint1(1);
    static_assert(sizeof(double3) == 24 && alignof(float3) == 4 && alignof(ulonglong2) == 16 &&
                      alignof(short4) == 8 && alignof(char3) == 1,
                  "");
    C[t] = x + f(1) + g(1) + count<4>() + scale(x) + (a + b).get() + tile(0) + rec(5) +
           addall(1.f, 2.f) + p0 + p1 + ch.x + uc.y + sh.z + ul.x + d4.z + l4.x + i3.y + u1.x +
           v.x + PLAIN + SIZE + arr[1] + warpSize + (float)d + sizeof(size_t) + blockIdx.x +
           gridDim.z + al[0].a + f4[1].x;
}
LAUNCH_CONFIG(matmul_test, M, N, K) {
    launch->block = dim3(32);
    launch->grid = dim3(1);
    launch->shared_bytes = 32 * sizeof(float);
}
