// Conversions of numbers and bit patterns.  _rn rounds to nearest even, like all arithmetic here.
#ifndef EMU_SHIM_CUDA_CONVERT_H
#define EMU_SHIM_CUDA_CONVERT_H

EMU_INLINE int __float2int_rn(float x) {
    return (int)__builtin_rintf(x);
}
EMU_INLINE int __float2int_rz(float x) {
    return (int)x;
}
EMU_INLINE int __float2int_rd(float x) {
    return (int)__builtin_floorf(x);
}
EMU_INLINE int __float2int_ru(float x) {
    return (int)__builtin_ceilf(x);
}
EMU_INLINE unsigned int __float2uint_rn(float x) {
    return (unsigned int)__builtin_rintf(x);
}
EMU_INLINE unsigned int __float2uint_rz(float x) {
    return (unsigned int)x;
}
EMU_INLINE float __int2float_rn(int x) {
    return (float)x;
}
EMU_INLINE float __uint2float_rn(unsigned int x) {
    return (float)x;
}
EMU_INLINE float __double2float_rn(double x) {
    return (float)x;
}
EMU_INLINE int __double2int_rn(double x) {
    return (int)__builtin_rint(x);
}
EMU_INLINE int __double2int_rz(double x) {
    return (int)x;
}
EMU_INLINE int __double2int_rd(double x) {
    return (int)__builtin_floor(x);
}
EMU_INLINE int __double2int_ru(double x) {
    return (int)__builtin_ceil(x);
}
EMU_INLINE unsigned int __double2uint_rn(double x) {
    return (unsigned int)__builtin_rint(x);
}
EMU_INLINE unsigned int __double2uint_rz(double x) {
    return (unsigned int)x;
}
EMU_INLINE long long __double2ll_rn(double x) {
    return (long long)__builtin_rint(x);
}
EMU_INLINE long long __double2ll_rz(double x) {
    return (long long)x;
}
EMU_INLINE long long __float2ll_rn(float x) {
    return (long long)__builtin_rintf(x);
}
EMU_INLINE long long __float2ll_rz(float x) {
    return (long long)x;
}
EMU_INLINE double __int2double_rn(int x) {
    return x;
}
EMU_INLINE double __uint2double_rn(unsigned int x) {
    return x;
}
EMU_INLINE float __ll2float_rn(long long x) {
    return (float)x;
}
EMU_INLINE float __ull2float_rn(unsigned long long x) {
    return (float)x;
}
EMU_INLINE double __ll2double_rn(long long x) {
    return (double)x;
}
EMU_INLINE double __ull2double_rn(unsigned long long x) {
    return (double)x;
}
inline __attribute__((always_inline, artificial)) int __float_as_int(float x) {
    int result;
    __builtin_memcpy(&result, &x, sizeof(result));
    return result;
}
inline __attribute__((always_inline, artificial)) float __int_as_float(int x) {
    float result;
    __builtin_memcpy(&result, &x, sizeof(result));
    return result;
}
inline __attribute__((always_inline, artificial)) unsigned int __float_as_uint(float x) {
    unsigned int result;
    __builtin_memcpy(&result, &x, sizeof(result));
    return result;
}
inline __attribute__((always_inline, artificial)) float __uint_as_float(unsigned int x) {
    float result;
    __builtin_memcpy(&result, &x, sizeof(result));
    return result;
}
inline __attribute__((always_inline, artificial)) long long __double_as_longlong(double x) {
    long long result;
    __builtin_memcpy(&result, &x, sizeof(result));
    return result;
}
inline __attribute__((always_inline, artificial)) double __longlong_as_double(long long x) {
    double result;
    __builtin_memcpy(&result, &x, sizeof(result));
    return result;
}

// Arithmetic and conversions with a direction of rounding in their name: _rz, _rd and _ru.
//
// Computed in double, which loses nothing that decides the direction: products of floats are exact,
// quotients and roots that are not floats are not rounded to one, and a sum is rounded to odd.
// Source: Boldo and Melquiond, Emulation of FMA and correctly rounded sums.

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

#define TILEGRADE_TO_INTEGER(name, from, type, suffix)                                             \
    EMU_PLAIN type __##name##_rd(from x) {                                                         \
        return (type)__builtin_floor##suffix(x);                                                   \
    }                                                                                              \
    EMU_PLAIN type __##name##_ru(from x) {                                                         \
        return (type)__builtin_ceil##suffix(x);                                                    \
    }
TILEGRADE_TO_INTEGER(float2uint, float, unsigned int, f)
TILEGRADE_TO_INTEGER(float2ll, float, long long, f)
TILEGRADE_TO_INTEGER(float2ull, float, unsigned long long, f)
TILEGRADE_TO_INTEGER(double2uint, double, unsigned int, )
TILEGRADE_TO_INTEGER(double2ll, double, long long, )
TILEGRADE_TO_INTEGER(double2ull, double, unsigned long long, )
#undef TILEGRADE_TO_INTEGER
EMU_PLAIN unsigned long long __float2ull_rn(float x) {
    return (unsigned long long)__builtin_rintf(x);
}
EMU_PLAIN unsigned long long __float2ull_rz(float x) {
    return (unsigned long long)x;
}
EMU_PLAIN unsigned long long __double2ull_rn(double x) {
    return (unsigned long long)__builtin_rint(x);
}
EMU_PLAIN unsigned long long __double2ull_rz(double x) {
    return (unsigned long long)x;
}

#endif
