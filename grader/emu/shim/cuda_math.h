// Math functions of a kernel: the C functions, CUDA's intrinsics, min, max and bit operations.
//
// The C library's results may differ from a GPU's in the last bit.  a * b + c in the source is not
// fused to an FMA.
#ifndef EMU_SHIM_CUDA_MATH_H
#define EMU_SHIM_CUDA_MATH_H

extern "C" {
double sqrt(double);
float sqrtf(float);
double cbrt(double);
float cbrtf(float);
double exp(double);
float expf(float);
double exp2(double);
float exp2f(float);
double expm1(double);
float expm1f(float);
double log(double);
float logf(float);
double log2(double);
float log2f(float);
double log10(double);
float log10f(float);
double log1p(double);
float log1pf(float);
double sin(double);
float sinf(float);
double cos(double);
float cosf(float);
double tan(double);
float tanf(float);
double asin(double);
float asinf(float);
double acos(double);
float acosf(float);
double atan(double);
float atanf(float);
double sinh(double);
float sinhf(float);
double cosh(double);
float coshf(float);
double tanh(double);
float tanhf(float);
double asinh(double);
float asinhf(float);
double acosh(double);
float acoshf(float);
double atanh(double);
float atanhf(float);
double floor(double);
float floorf(float);
double ceil(double);
float ceilf(float);
double round(double);
float roundf(float);
double trunc(double);
float truncf(float);
double rint(double);
float rintf(float);
double nearbyint(double);
float nearbyintf(float);
double fabs(double);
float fabsf(float);
double erf(double);
float erff(float);
double erfc(double);
float erfcf(float);
double tgamma(double);
float tgammaf(float);
double lgamma(double);
float lgammaf(float);
double pow(double, double);
float powf(float, float);
double fmod(double, double);
float fmodf(float, float);
double fmax(double, double);
float fmaxf(float, float);
double fmin(double, double);
float fminf(float, float);
double hypot(double, double);
float hypotf(float, float);
double atan2(double, double);
float atan2f(float, float);
double copysign(double, double);
float copysignf(float, float);
double remainder(double, double);
float remainderf(float, float);
double fdim(double, double);
float fdimf(float, float);
double nextafter(double, double);
float nextafterf(float, float);
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

// In C++ the plain names work for float too.
EMU_INLINE float sqrt(float x) {
    return __builtin_sqrtf(x);
}
EMU_INLINE float cbrt(float x) {
    return __builtin_cbrtf(x);
}
EMU_INLINE float exp(float x) {
    return __builtin_expf(x);
}
EMU_INLINE float exp2(float x) {
    return __builtin_exp2f(x);
}
EMU_INLINE float expm1(float x) {
    return __builtin_expm1f(x);
}
EMU_INLINE float log(float x) {
    return __builtin_logf(x);
}
EMU_INLINE float log2(float x) {
    return __builtin_log2f(x);
}
EMU_INLINE float log10(float x) {
    return __builtin_log10f(x);
}
EMU_INLINE float log1p(float x) {
    return __builtin_log1pf(x);
}
EMU_INLINE float sin(float x) {
    return __builtin_sinf(x);
}
EMU_INLINE float cos(float x) {
    return __builtin_cosf(x);
}
EMU_INLINE float tan(float x) {
    return __builtin_tanf(x);
}
EMU_INLINE float asin(float x) {
    return __builtin_asinf(x);
}
EMU_INLINE float acos(float x) {
    return __builtin_acosf(x);
}
EMU_INLINE float atan(float x) {
    return __builtin_atanf(x);
}
EMU_INLINE float sinh(float x) {
    return __builtin_sinhf(x);
}
EMU_INLINE float cosh(float x) {
    return __builtin_coshf(x);
}
EMU_INLINE float tanh(float x) {
    return __builtin_tanhf(x);
}
EMU_INLINE float asinh(float x) {
    return __builtin_asinhf(x);
}
EMU_INLINE float acosh(float x) {
    return __builtin_acoshf(x);
}
EMU_INLINE float atanh(float x) {
    return __builtin_atanhf(x);
}
EMU_INLINE float floor(float x) {
    return __builtin_floorf(x);
}
EMU_INLINE float ceil(float x) {
    return __builtin_ceilf(x);
}
EMU_INLINE float round(float x) {
    return __builtin_roundf(x);
}
EMU_INLINE float trunc(float x) {
    return __builtin_truncf(x);
}
EMU_INLINE float rint(float x) {
    return __builtin_rintf(x);
}
EMU_INLINE float nearbyint(float x) {
    return __builtin_nearbyintf(x);
}
EMU_INLINE float fabs(float x) {
    return __builtin_fabsf(x);
}
EMU_INLINE float erf(float x) {
    return __builtin_erff(x);
}
EMU_INLINE float erfc(float x) {
    return __builtin_erfcf(x);
}
EMU_INLINE float tgamma(float x) {
    return __builtin_tgammaf(x);
}
EMU_INLINE float lgamma(float x) {
    return __builtin_lgammaf(x);
}
EMU_INLINE float pow(float x, float y) {
    return __builtin_powf(x, y);
}
EMU_INLINE float fmod(float x, float y) {
    return __builtin_fmodf(x, y);
}
EMU_INLINE float fmax(float x, float y) {
    return __builtin_fmaxf(x, y);
}
EMU_INLINE float fmin(float x, float y) {
    return __builtin_fminf(x, y);
}
EMU_INLINE float hypot(float x, float y) {
    return __builtin_hypotf(x, y);
}
EMU_INLINE float atan2(float x, float y) {
    return __builtin_atan2f(x, y);
}
EMU_INLINE float copysign(float x, float y) {
    return __builtin_copysignf(x, y);
}
EMU_INLINE float remainder(float x, float y) {
    return __builtin_remainderf(x, y);
}
EMU_INLINE float fdim(float x, float y) {
    return __builtin_fdimf(x, y);
}
EMU_INLINE float nextafter(float x, float y) {
    return __builtin_nextafterf(x, y);
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
EMU_INLINE bool isnan(float x) {
    return __builtin_isnan(x);
}
EMU_INLINE bool isnan(double x) {
    return __builtin_isnan(x);
}
EMU_INLINE bool isinf(float x) {
    return __builtin_isinf_sign(x) != 0;
}
EMU_INLINE bool isinf(double x) {
    return __builtin_isinf_sign(x) != 0;
}
EMU_INLINE bool isfinite(float x) {
    return __builtin_isfinite(x);
}
EMU_INLINE bool isfinite(double x) {
    return __builtin_isfinite(x);
}
EMU_INLINE bool signbit(float x) {
    return __builtin_signbit(x) != 0;
}
EMU_INLINE bool signbit(double x) {
    return __builtin_signbit(x) != 0;
}

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
TILEGRADE_SPLIT(double, )
TILEGRADE_SPLIT(float, f)
#undef TILEGRADE_SPLIT

EMU_INLINE double nan(const char *) {
    return __builtin_nan("");
}
EMU_INLINE float nanf(const char *) {
    return __builtin_nanf("");
}
EMU_INLINE float rsqrtf(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
EMU_INLINE double rsqrt(double x) {
    return 1.0 / __builtin_sqrt(x);
}
EMU_INLINE float exp10f(float x) {
    return __builtin_powf(10.0f, x);
}
EMU_INLINE float __saturatef(float x) {
    return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

// Intrinsics with a rounding in their name: to nearest, like all arithmetic here.
EMU_INLINE float __fmaf_rn(float x, float y, float z) {
    return __builtin_fmaf(x, y, z);
}
EMU_INLINE float __fadd_rn(float x, float y) {
    return x + y;
}
EMU_INLINE float __fsub_rn(float x, float y) {
    return x - y;
}
EMU_INLINE float __fmul_rn(float x, float y) {
    return x * y;
}
EMU_INLINE float __fdiv_rn(float x, float y) {
    return x / y;
}
EMU_INLINE float __frcp_rn(float x) {
    return 1 / x;
}
EMU_INLINE float __fsqrt_rn(float x) {
    return __builtin_sqrtf(x);
}
EMU_INLINE double __fma_rn(double x, double y, double z) {
    return __builtin_fma(x, y, z);
}
EMU_INLINE double __dadd_rn(double x, double y) {
    return x + y;
}
EMU_INLINE double __dsub_rn(double x, double y) {
    return x - y;
}
EMU_INLINE double __dmul_rn(double x, double y) {
    return x * y;
}
EMU_INLINE double __ddiv_rn(double x, double y) {
    return x / y;
}
EMU_INLINE double __drcp_rn(double x) {
    return 1 / x;
}
EMU_INLINE double __dsqrt_rn(double x) {
    return __builtin_sqrt(x);
}
EMU_INLINE float __frsqrt_rn(float x) {
    return 1.0f / __builtin_sqrtf(x);
}
EMU_INLINE float __fdividef(float x, float y) {
    return x / y;
}
EMU_INLINE float __expf(float x) {
    return __builtin_expf(x);
}
EMU_INLINE float __logf(float x) {
    return __builtin_logf(x);
}
EMU_INLINE float __log2f(float x) {
    return __builtin_log2f(x);
}
EMU_INLINE float __log10f(float x) {
    return __builtin_log10f(x);
}
EMU_INLINE float __sinf(float x) {
    return __builtin_sinf(x);
}
EMU_INLINE float __cosf(float x) {
    return __builtin_cosf(x);
}
EMU_INLINE float __tanf(float x) {
    return __builtin_tanf(x);
}
EMU_INLINE float __powf(float x, float y) {
    return __builtin_powf(x, y);
}
EMU_INLINE float __exp10f(float x) {
    return __builtin_powf(10.0f, x);
}

// Integer functions of a kernel: counting bits, products of halves, min and max of all types.

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
EMU_INLINE int min(int x, int y) {
    return x < y ? x : y;
}
EMU_INLINE int max(int x, int y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned int min(unsigned int x, unsigned int y) {
    return x < y ? x : y;
}
EMU_INLINE unsigned int max(unsigned int x, unsigned int y) {
    return x > y ? x : y;
}
EMU_INLINE long min(long x, long y) {
    return x < y ? x : y;
}
EMU_INLINE long max(long x, long y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned long min(unsigned long x, unsigned long y) {
    return x < y ? x : y;
}
EMU_INLINE unsigned long max(unsigned long x, unsigned long y) {
    return x > y ? x : y;
}
EMU_INLINE long long min(long long x, long long y) {
    return x < y ? x : y;
}
EMU_INLINE long long max(long long x, long long y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned long long min(unsigned long long x, unsigned long long y) {
    return x < y ? x : y;
}
EMU_INLINE unsigned long long max(unsigned long long x, unsigned long long y) {
    return x > y ? x : y;
}
EMU_INLINE unsigned int min(int x, unsigned int y) {
    return min((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned int max(int x, unsigned int y) {
    return max((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned int min(unsigned int x, int y) {
    return min((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned int max(unsigned int x, int y) {
    return max((unsigned int)x, (unsigned int)y);
}
EMU_INLINE unsigned long long min(long long x, unsigned long long y) {
    return min((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE unsigned long long max(long long x, unsigned long long y) {
    return max((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE unsigned long long min(unsigned long long x, long long y) {
    return min((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE unsigned long long max(unsigned long long x, long long y) {
    return max((unsigned long long)x, (unsigned long long)y);
}
EMU_INLINE float min(float x, float y) {
    return __builtin_fminf(x, y);
}
EMU_INLINE float max(float x, float y) {
    return __builtin_fmaxf(x, y);
}
EMU_INLINE double min(double x, double y) {
    return __builtin_fmin(x, y);
}
EMU_INLINE double max(double x, double y) {
    return __builtin_fmax(x, y);
}
EMU_INLINE double min(float x, double y) {
    return __builtin_fmin(x, y);
}
EMU_INLINE double max(float x, double y) {
    return __builtin_fmax(x, y);
}
EMU_INLINE double min(double x, float y) {
    return __builtin_fmin(x, y);
}
EMU_INLINE double max(double x, float y) {
    return __builtin_fmax(x, y);
}
EMU_INLINE unsigned int umin(unsigned int x, unsigned int y) {
    return min(x, y);
}
EMU_INLINE unsigned int umax(unsigned int x, unsigned int y) {
    return max(x, y);
}

#endif
