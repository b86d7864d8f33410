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

#endif
