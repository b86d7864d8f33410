// Conversions of numbers and bit patterns.  _rn rounds to nearest even, like all arithmetic here.
#ifndef EMU_SHIM_CUDA_CONVERT_H
#define EMU_SHIM_CUDA_CONVERT_H

// The nearest number that the integer type has; 0 for NaN.
template <class T, class F> EMU_INLINE T __tilegrade_to_integer(F x) {
    constexpr bool has_sign = (T)-1 < (T)1;
    constexpr T most = (T)(~0ull >> (64 - 8 * sizeof(T) + has_sign));
    constexpr F end = (F)(1ull << (8 * sizeof(T) - 2)) * (has_sign ? 2 : 4);
    constexpr T least = (T)(has_sign ? -most - 1 : 0);
    return x >= end ? most : x <= (F)least ? least : x == x ? (T)x : (T)0;
}
#define TILEGRADE_TO_INTEGER(name, from, type, suffix)                                             \
    EMU_INLINE type __##name##_rn(from x) {                                                        \
        return __tilegrade_to_integer<type>(__builtin_rint##suffix(x));                            \
    }                                                                                              \
    EMU_INLINE type __##name##_rz(from x) {                                                        \
        return __tilegrade_to_integer<type>(x);                                                    \
    }                                                                                              \
    EMU_INLINE type __##name##_rd(from x) {                                                        \
        return __tilegrade_to_integer<type>(__builtin_floor##suffix(x));                           \
    }                                                                                              \
    EMU_INLINE type __##name##_ru(from x) {                                                        \
        return __tilegrade_to_integer<type>(__builtin_ceil##suffix(x));                            \
    }
#define TILEGRADE_INTEGER(name, type)                                                              \
    TILEGRADE_TO_INTEGER(float2##name, float, type, f)                                             \
    TILEGRADE_TO_INTEGER(double2##name, double, type, )                                            \
    EMU_INLINE float __##name##2float_rn(type x) {                                                 \
        return (float)x;                                                                           \
    }                                                                                              \
    EMU_INLINE double __##name##2double_rn(type x) {                                               \
        return (double)x;                                                                          \
    }
TILEGRADE_INTEGER(int, int)
TILEGRADE_INTEGER(uint, unsigned int)
TILEGRADE_INTEGER(ll, long long)
TILEGRADE_INTEGER(ull, unsigned long long)
#undef TILEGRADE_INTEGER
#undef TILEGRADE_TO_INTEGER
EMU_INLINE float __double2float_rn(double x) {
    return (float)x;
}

#define TILEGRADE_BITS(name, from, type)                                                           \
    EMU_PLAIN type name(from x) {                                                                  \
        type result;                                                                               \
        __builtin_memcpy(&result, &x, sizeof(result));                                             \
        return result;                                                                             \
    }
TILEGRADE_BITS(__float_as_int, float, int)
TILEGRADE_BITS(__int_as_float, int, float)
TILEGRADE_BITS(__float_as_uint, float, unsigned int)
TILEGRADE_BITS(__uint_as_float, unsigned int, float)
TILEGRADE_BITS(__double_as_longlong, double, long long)
TILEGRADE_BITS(__longlong_as_double, long long, double)
#undef TILEGRADE_BITS

// Arithmetic and conversions with a direction of rounding in their name: _rz, _rd and _ru.
//
// Computed in double, which keeps everything that decides the direction: products of floats are
// exact, quotients and roots that are not exact floats are not rounded to a float, and a sum is
// rounded to odd. Source: Boldo and Melquiond, Emulation of FMA and correctly rounded sums.

namespace tilegrade {

enum rounding { NEAREST, TO_ZERO, DOWN, UP };

// x * y + z, rounded to odd, with an exact product: a last digit of 1 means "and something more".
inline __attribute__((always_inline, artificial)) double fma_to_odd(double x, double y, double z) {
    double product = x * y;
    double sum = product + z;
    double part = sum - product;
    double rest = (product - (sum - part)) + (z - part);
    long long bits = __double_as_longlong(sum);
    if (rest == 0.0 || rest != rest || (bits & 1)) {
        return sum;
    }
    return __longlong_as_double((rest > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1);
}

inline __attribute__((always_inline, artificial)) float to_float(double x, rounding how) {
    float near = (float)x;
    bool away = how == TO_ZERO ? __builtin_fabs(x) < __builtin_fabsf(near)
                : how == DOWN  ? x < near
                : how == UP    ? x > near
                               : false;
    float toward = how == TO_ZERO ? 0.0f : how == DOWN ? -__builtin_inff() : __builtin_inff();
    return away ? __builtin_nextafterf(near, toward) : near;
}

}  // namespace tilegrade

#define TILEGRADE_ROUNDED(suffix, how)                                                             \
    EMU_PLAIN float __fadd_##suffix(float x, float y) {                                            \
        return tilegrade::to_float(tilegrade::fma_to_odd(x, 1.0, y), tilegrade::how);              \
    }                                                                                              \
    EMU_PLAIN float __fsub_##suffix(float x, float y) {                                            \
        return tilegrade::to_float(tilegrade::fma_to_odd(x, 1.0, -y), tilegrade::how);             \
    }                                                                                              \
    EMU_PLAIN float __fmul_##suffix(float x, float y) {                                            \
        return tilegrade::to_float((double)x * y, tilegrade::how);                                 \
    }                                                                                              \
    EMU_PLAIN float __fmaf_##suffix(float x, float y, float z) {                                   \
        return tilegrade::to_float(tilegrade::fma_to_odd(x, y, z), tilegrade::how);                \
    }                                                                                              \
    EMU_PLAIN float __fdiv_##suffix(float x, float y) {                                            \
        return tilegrade::to_float((double)x / y, tilegrade::how);                                 \
    }                                                                                              \
    EMU_PLAIN float __frcp_##suffix(float x) {                                                     \
        return tilegrade::to_float(1.0 / x, tilegrade::how);                                       \
    }                                                                                              \
    EMU_PLAIN float __fsqrt_##suffix(float x) {                                                    \
        return tilegrade::to_float(__builtin_sqrt(x), tilegrade::how);                             \
    }                                                                                              \
    EMU_PLAIN float __int2float_##suffix(int x) {                                                  \
        return tilegrade::to_float(x, tilegrade::how);                                             \
    }                                                                                              \
    EMU_PLAIN float __uint2float_##suffix(unsigned int x) {                                        \
        return tilegrade::to_float(x, tilegrade::how);                                             \
    }                                                                                              \
    EMU_PLAIN float __double2float_##suffix(double x) {                                            \
        return tilegrade::to_float(x, tilegrade::how);                                             \
    }
TILEGRADE_ROUNDED(rz, TO_ZERO)
TILEGRADE_ROUNDED(rd, DOWN)
TILEGRADE_ROUNDED(ru, UP)
#undef TILEGRADE_ROUNDED

#endif
