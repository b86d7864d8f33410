// Math functions of a kernel: the C functions, CUDA's intrinsics, min, max and bit operations.
//
// The C library's results may differ from a GPU's in the last bit.  a * b + c in the source is not
// fused to an FMA.
#ifndef EMU_SHIM_CUDA_MATH_H
#define EMU_SHIM_CUDA_MATH_H

#ifndef TILEGRADE_PROGRAM  // which has <cmath>
// The C functions; in C++ the plain names work for float too.
#define TILEGRADE_OF_ONE(name)                                                                     \
    extern "C" double name(double);                                                                \
    extern "C" float name##f(float);                                                               \
    EMU_INLINE float name(float x) {                                                               \
        return __builtin_##name##f(x);                                                             \
    }
#define TILEGRADE_OF_TWO(name)                                                                     \
    extern "C" double name(double, double);                                                        \
    extern "C" float name##f(float, float);                                                        \
    EMU_INLINE float name(float x, float y) {                                                      \
        return __builtin_##name##f(x, y);                                                          \
    }
TILEGRADE_OF_ONE(sqrt)
TILEGRADE_OF_ONE(cbrt)
TILEGRADE_OF_ONE(exp)
TILEGRADE_OF_ONE(exp2)
TILEGRADE_OF_ONE(expm1)
TILEGRADE_OF_ONE(log)
TILEGRADE_OF_ONE(log2)
TILEGRADE_OF_ONE(log10)
TILEGRADE_OF_ONE(log1p)
TILEGRADE_OF_ONE(sin)
TILEGRADE_OF_ONE(cos)
TILEGRADE_OF_ONE(tan)
TILEGRADE_OF_ONE(asin)
TILEGRADE_OF_ONE(acos)
TILEGRADE_OF_ONE(atan)
TILEGRADE_OF_ONE(sinh)
TILEGRADE_OF_ONE(cosh)
TILEGRADE_OF_ONE(tanh)
TILEGRADE_OF_ONE(asinh)
TILEGRADE_OF_ONE(acosh)
TILEGRADE_OF_ONE(atanh)
TILEGRADE_OF_ONE(floor)
TILEGRADE_OF_ONE(ceil)
TILEGRADE_OF_ONE(round)
TILEGRADE_OF_ONE(trunc)
TILEGRADE_OF_ONE(rint)
TILEGRADE_OF_ONE(nearbyint)
TILEGRADE_OF_ONE(fabs)
TILEGRADE_OF_ONE(erf)
TILEGRADE_OF_ONE(erfc)
TILEGRADE_OF_ONE(tgamma)
TILEGRADE_OF_ONE(lgamma)
TILEGRADE_OF_TWO(pow)
TILEGRADE_OF_TWO(fmod)
TILEGRADE_OF_TWO(fmax)
TILEGRADE_OF_TWO(fmin)
TILEGRADE_OF_TWO(hypot)
TILEGRADE_OF_TWO(atan2)
TILEGRADE_OF_TWO(copysign)
TILEGRADE_OF_TWO(remainder)
TILEGRADE_OF_TWO(fdim)
TILEGRADE_OF_TWO(nextafter)
#undef TILEGRADE_OF_TWO
#undef TILEGRADE_OF_ONE

extern "C" {
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
int ilogb(double);
int ilogbf(float);
double logb(double);
float logbf(float);
long lround(double);
long lroundf(float);
long lrint(double);
long lrintf(float);
long long llround(double);
long long llroundf(float);
int abs(int);
long labs(long);
long long llabs(long long);
}

EMU_INLINE float fma(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
EMU_INLINE float abs(float x) {
    return __builtin_fabsf(x);
}
EMU_INLINE double abs(double x) {
    return __builtin_fabs(x);
}
EMU_INLINE long abs(long x) {
    return x < 0 ? -x : x;
}
EMU_INLINE long long abs(long long x) {
    return x < 0 ? -x : x;
}
#define TILEGRADE_IS(name, builtin)                                                                \
    EMU_INLINE bool name(float x) {                                                                \
        return builtin(x) != 0;                                                                    \
    }                                                                                              \
    EMU_INLINE bool name(double x) {                                                               \
        return builtin(x) != 0;                                                                    \
    }
TILEGRADE_IS(isnan, __builtin_isnan)
TILEGRADE_IS(isinf, __builtin_isinf_sign)
TILEGRADE_IS(isfinite, __builtin_isfinite)
TILEGRADE_IS(signbit, __builtin_signbit)
#undef TILEGRADE_IS
#endif

// Results through a pointer are stored here, where the compiler instruments them, and not in the C
// library.
#define TILEGRADE_SPLIT(type, suffix)                                                              \
    inline __attribute__((always_inline, artificial)) type frexp##suffix(type x, int *exponent) {  \
        int e = 0;                                                                                 \
        type result = __builtin_frexp##suffix(x, &e);                                              \
        *exponent = e;                                                                             \
        return result;                                                                             \
    }                                                                                              \
    inline __attribute__((always_inline, artificial)) type modf##suffix(type x, type *whole) {     \
        type w = 0;                                                                                \
        type result = __builtin_modf##suffix(x, &w);                                               \
        *whole = w;                                                                                \
        return result;                                                                             \
    }                                                                                              \
    inline __attribute__((always_inline, artificial)) void sincos##suffix(type x, type *sine,      \
                                                                          type *cosine) {          \
        *sine = __builtin_sin##suffix(x);                                                          \
        *cosine = __builtin_cos##suffix(x);                                                        \
    }
#ifndef TILEGRADE_PROGRAM
TILEGRADE_SPLIT(double, )
TILEGRADE_SPLIT(float, f)

EMU_INLINE double nan(const char *) {
    return __builtin_nan("");
}
EMU_INLINE float nanf(const char *) {
    return __builtin_nanf("");
}
#endif
#undef TILEGRADE_SPLIT

EMU_INLINE float rsqrtf(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
EMU_INLINE double rsqrt(double x) {
    return 1.0 / __builtin_sqrt(x);
}
#ifdef TILEGRADE_PROGRAM  // the C library has some, and names of its own like CUDA's
#define __expf   __tilegrade_expf
#define __logf   __tilegrade_logf
#define __log2f  __tilegrade_log2f
#define __log10f __tilegrade_log10f
#define __sinf   __tilegrade_sinf
#define __cosf   __tilegrade_cosf
#define __tanf   __tilegrade_tanf
#define __powf   __tilegrade_powf
#define __exp10f __tilegrade_exp10f
#else
EMU_INLINE float exp10f(float x) {
    return __builtin_powf(10.0f, x);
}
#endif
EMU_INLINE float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

// Intrinsics with a rounding in their name: to nearest, like all arithmetic here.
EMU_INLINE float __fmaf_rn(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
EMU_INLINE double __fma_rn(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
#define TILEGRADE_ROUNDED(type, letter, suffix)                                                    \
    EMU_INLINE type __##letter##add_rn(type x, type y) {                                           \
        return x + y;                                                                              \
    }                                                                                              \
    EMU_INLINE type __##letter##sub_rn(type x, type y) {                                           \
        return x - y;                                                                              \
    }                                                                                              \
    EMU_INLINE type __##letter##mul_rn(type x, type y) {                                           \
        return x * y;                                                                              \
    }                                                                                              \
    EMU_INLINE type __##letter##div_rn(type x, type y) {                                           \
        return x / y;                                                                              \
    }                                                                                              \
    EMU_INLINE type __##letter##rcp_rn(type x) {                                                   \
        return 1 / x;                                                                              \
    }                                                                                              \
    EMU_INLINE type __##letter##sqrt_rn(type x) {                                                  \
        return __builtin_sqrt##suffix(x);                                                          \
    }
TILEGRADE_ROUNDED(float, f, f)
TILEGRADE_ROUNDED(double, d, )
#undef TILEGRADE_ROUNDED
EMU_INLINE float __frsqrt_rn(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
EMU_INLINE float __fdividef(float x, float y) {
    return x / y;
}
#define TILEGRADE_FAST(name)                                                                       \
    EMU_INLINE float __##name(float x) {                                                           \
        return __builtin_##name(x);                                                                \
    }
TILEGRADE_FAST(expf)
TILEGRADE_FAST(logf)
TILEGRADE_FAST(log2f)
TILEGRADE_FAST(log10f)
TILEGRADE_FAST(sinf)
TILEGRADE_FAST(cosf)
TILEGRADE_FAST(tanf)
#undef TILEGRADE_FAST
EMU_INLINE float __powf(float x, float y) {
    return __builtin_powf(x, y);
}
EMU_INLINE float __exp10f(float x) {
    return __builtin_powf(10.0f, x);
}

// Integer functions of a kernel: bit counts, 24-bit products and high words of products, averages,
// packed bytes and halves, min and max of all types.

EMU_INLINE int __popc(unsigned int x) {
    return __builtin_popcount(x);
}
EMU_INLINE int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
EMU_INLINE int __clz(int x) {
    return x ? __builtin_clz((unsigned int)x) : 32;
}
EMU_INLINE int __clzll(long long x) {
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
EMU_INLINE int __ffs(int x) {
    return __builtin_ffs(x);
}
EMU_INLINE int __ffsll(long long x) {
    return __builtin_ffsll(x);
}
EMU_INLINE unsigned int __brev(unsigned int x) {
    unsigned int result = 0;
    for (int bit = 0; bit < 32; bit++) {
        result |= ((x >> bit) & 1u) << (31 - bit);
    }
    return result;
}
// The place of the set bit that is |offset| - 1 set bits away from `base`, up or down.
EMU_INLINE unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
    int step = offset > 0 ? 1 : -1;
    int wanted = offset > 0 ? offset : offset < 0 ? -offset : 1;
    for (unsigned int bit = base; bit < 32 && (offset != 0 || bit == base);
         bit += (unsigned int)step) {
        wanted -= (int)(mask >> bit & 1u);
        if (wanted == 0) {
            return bit;
        }
    }
    return 0xffffffffu;
}
EMU_INLINE int __mul24(int x, int y) {
    return (int)((unsigned int)((x << 8) >> 8) * (unsigned int)((y << 8) >> 8));
}
EMU_INLINE unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
EMU_INLINE int __mulhi(int x, int y) {
    return (int)(((long long)x * y) >> 32);
}
EMU_INLINE unsigned int __umulhi(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x * y) >> 32);
}
EMU_INLINE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((((unsigned long long)high << 32) | low) << (shift & 31)) >> 32);
}
EMU_INLINE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)((((unsigned long long)high << 32) | low) >> (shift & 31));
}

// Bytes, halves and sums.  Source: CUDA Math API, "Integer Intrinsics" and "SIMD Intrinsics".
EMU_INLINE unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
    unsigned long long bytes = ((unsigned long long)y << 32) | x;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        result |= (unsigned int)((bytes >> 8 * ((selector >> 4 * i) & 7)) & 0xff) << 8 * i;
    }
    return result;
}
EMU_INLINE int __dp4a(int x, int y, int sum) {
    unsigned int result = (unsigned int)sum;
    for (int i = 0; i < 32; i += 8) {
        result += (unsigned int)((signed char)(x >> i) * (signed char)(y >> i));
    }
    return (int)result;
}
EMU_INLINE unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int sum) {
    for (int i = 0; i < 32; i += 8) {
        sum += ((x >> i) & 0xff) * ((y >> i) & 0xff);
    }
    return sum;
}
EMU_INLINE unsigned int __sad(int x, int y, unsigned int sum) {
    return sum + (x > y ? (unsigned int)x - (unsigned int)y : (unsigned int)y - (unsigned int)x);
}
EMU_INLINE unsigned int __usad(unsigned int x, unsigned int y, unsigned int sum) {
    return sum + (x > y ? x - y : y - x);
}
EMU_INLINE int __hadd(int x, int y) {
    return (int)(((long long)x + y) >> 1);
}
EMU_INLINE int __rhadd(int x, int y) {
    return (int)(((long long)x + y + 1) >> 1);
}
EMU_INLINE unsigned int __uhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y) >> 1);
}
EMU_INLINE unsigned int __urhadd(unsigned int x, unsigned int y) {
    return (unsigned int)(((unsigned long long)x + y + 1) >> 1);
}
// Each part separately: the top bit of a part is added without a carry.
EMU_INLINE unsigned int __vadd4(unsigned int x, unsigned int y) {
    return ((x & 0x7f7f7f7fu) + (y & 0x7f7f7f7fu)) ^ ((x ^ y) & 0x80808080u);
}
EMU_INLINE unsigned int __vadd2(unsigned int x, unsigned int y) {
    return ((x & 0x7fff7fffu) + (y & 0x7fff7fffu)) ^ ((x ^ y) & 0x80008000u);
}
EMU_INLINE unsigned int __vsub4(unsigned int x, unsigned int y) {
    return ((x | 0x80808080u) - (y & 0x7f7f7f7fu)) ^ ((x ^ ~y) & 0x80808080u);
}
EMU_INLINE unsigned int __vsub2(unsigned int x, unsigned int y) {
    return ((x | 0x80008000u) - (y & 0x7fff7fffu)) ^ ((x ^ ~y) & 0x80008000u);
}

// min and max by CUDA's rules: mixed signs compare as unsigned.
#define TILEGRADE_LEAST(type)                                                                      \
    EMU_INLINE type min(type x, type y) {                                                          \
        return x < y ? x : y;                                                                      \
    }                                                                                              \
    EMU_INLINE type max(type x, type y) {                                                          \
        return x > y ? x : y;                                                                      \
    }
#define TILEGRADE_MIXED(type, left, right)                                                         \
    EMU_INLINE type min(left x, right y) {                                                         \
        return min((type)x, (type)y);                                                              \
    }                                                                                              \
    EMU_INLINE type max(left x, right y) {                                                         \
        return max((type)x, (type)y);                                                              \
    }
TILEGRADE_LEAST(int)
TILEGRADE_LEAST(unsigned int)
TILEGRADE_LEAST(long)
TILEGRADE_LEAST(unsigned long)
TILEGRADE_LEAST(long long)
TILEGRADE_LEAST(unsigned long long)
TILEGRADE_MIXED(unsigned int, int, unsigned int)
TILEGRADE_MIXED(unsigned int, unsigned int, int)
TILEGRADE_MIXED(unsigned long long, long long, unsigned long long)
TILEGRADE_MIXED(unsigned long long, unsigned long long, long long)
#undef TILEGRADE_MIXED
#undef TILEGRADE_LEAST
#define TILEGRADE_OF_REALS(type, left, right, suffix)                                              \
    EMU_INLINE type min(left x, right y) {                                                         \
        return __builtin_fmin##suffix(x, y);                                                       \
    }                                                                                              \
    EMU_INLINE type max(left x, right y) {                                                         \
        return __builtin_fmax##suffix(x, y);                                                       \
    }
TILEGRADE_OF_REALS(float, float, float, f)
TILEGRADE_OF_REALS(double, double, double, )
TILEGRADE_OF_REALS(double, float, double, )
TILEGRADE_OF_REALS(double, double, float, )
#undef TILEGRADE_OF_REALS
// Templates, because the host code of programs may have its own.
template <int = 0> EMU_INLINE unsigned int umin(unsigned int x, unsigned int y) {
    return min(x, y);
}
template <int = 0> EMU_INLINE unsigned int umax(unsigned int x, unsigned int y) {
    return max(x, y);
}

#endif
