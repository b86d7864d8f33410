// Numbers of 16 bits on the CPU device: __half and __nv_bfloat16, and pairs of them.
//
// Every operation is done in double and rounded again, to nearest even.  That is correct if the
// wider format has 2p + 2 digits, where the narrow one has p; only a fused multiply-add needs more.
// Source: Figueroa, When is double rounding innocuous?  Boldo and Melquiond, Emulation of FMA and
// correctly rounded sums: proved algorithms using rounding to odd.
#ifndef TILEGRADE_EMU_SMALL_FLOAT_H
#define TILEGRADE_EMU_SMALL_FLOAT_H

#include "begin.h"

namespace tilegrade {

EMU_CALL double power_of_two(int exponent) {
    return __longlong_as_double((long long)(exponent + 1023) << 52);
}

// The bits of the number nearest to x that has DIGITS digits and exponents from LEAST on.
template <int DIGITS, int LEAST> EMU_CALL unsigned short small_bits(double x, rounding how) {
    long long bits = __double_as_longlong(x);
    int sign = bits < 0 ? 0x8000 : 0;
    int infinity = (2 - 2 * LEAST + 1) << (DIGITS - 1);
    if (x != x) {
        return 0x7fff;
    }
    double size = __builtin_fabs(x);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent == 1024) {
        return (unsigned short)(sign | infinity);
    }
    exponent = exponent < LEAST ? LEAST : exponent;
    double digits = size * power_of_two(DIGITS - 1 - exponent);
    bool away = how == UP ? sign == 0 : how == DOWN ? sign != 0 : false;
    digits = how == NEAREST ? __builtin_rint(digits)
             : away         ? __builtin_ceil(digits)
                            : __builtin_trunc(digits);
    int code = ((exponent - LEAST) << (DIGITS - 1)) + (int)digits;
    if (code >= infinity) {
        code = how == NEAREST || away ? infinity : infinity - 1;
    }
    return (unsigned short)(sign | code);
}

template <int DIGITS, int LEAST> EMU_CALL double small_value(unsigned short bits) {
    int digits = bits & ((1 << (DIGITS - 1)) - 1);
    int exponent = (bits & 0x7fff) >> (DIGITS - 1);
    double size = 0.0;
    if (exponent == 2 - 2 * LEAST + 1) {
        size = digits == 0 ? __builtin_inf() : __builtin_nan("");
    } else {
        digits += exponent > 0 ? 1 << (DIGITS - 1) : 0;
        size = digits * power_of_two((exponent > 0 ? exponent : 1) - 1 + LEAST - (DIGITS - 1));
    }
    return bits & 0x8000 ? -size : size;
}

// The nearest integer of the type; 0 for NaN.
template <class T> EMU_CALL T to_integer(double x, T low, T high) {
    return x != x ? T(0) : x <= (double)low ? low : x >= (double)high ? high : (T)x;
}

#define TILEGRADE_FROM(type)                                                                       \
    EMU_CALL small_float(type x) : bits(small_bits<DIGITS, LEAST>((double)x, NEAREST)) {           \
    }
#define TILEGRADE_TO(type, low, high)                                                              \
    EMU_CALL operator type() const {                                                               \
        return to_integer<type>(value(), (type)low, (type)high);                                   \
    }
#define TILEGRADE_BINARY(sign, name)                                                               \
    friend EMU_CALL small_float operator sign(const small_float &x, const small_float &y) {        \
        return small_float(x.value() sign y.value());                                              \
    }                                                                                              \
    EMU_CALL small_float &operator sign##=(const small_float &y) {                                 \
        *this = small_float(value() sign y.value());                                               \
        return *this;                                                                              \
    }                                                                                              \
    friend EMU_CALL small_float name(small_float x, small_float y) {                               \
        return x sign y;                                                                           \
    }                                                                                              \
    friend EMU_CALL small_float name##_rn(small_float x, small_float y) {                          \
        return x sign y;                                                                           \
    }                                                                                              \
    friend EMU_CALL small_float name##_sat(small_float x, small_float y) {                         \
        return saturate(x sign y);                                                                 \
    }
// A comparison, and its variant that is also true for NaN.
#define TILEGRADE_COMPARE(sign, name)                                                              \
    friend EMU_CALL bool operator sign(const small_float &x, const small_float &y) {               \
        return x.value() sign y.value();                                                           \
    }                                                                                              \
    friend EMU_CALL bool name(small_float x, small_float y) {                                      \
        return ordered(x, y) && x.value() sign y.value();                                          \
    }                                                                                              \
    friend EMU_CALL bool name##u(small_float x, small_float y) {                                   \
        return !ordered(x, y) || x.value() sign y.value();                                         \
    }
#define TILEGRADE_UNARY(name, expression)                                                          \
    friend EMU_CALL small_float name(small_float of) {                                             \
        double x = of.value();                                                                     \
        return small_float(expression);                                                            \
    }

template <int DIGITS, int LEAST> class small_float {
    unsigned short bits;

    static EMU_CALL bool ordered(small_float x, small_float y) {
        return x.value() == x.value() && y.value() == y.value();
    }
    static EMU_CALL small_float saturate(small_float x) {
        double value = x.value();
        return value > 0.0 ? (value < 1.0 ? x : small_float(1.0)) : small_float(0.0);
    }

  public:
#ifdef __x86_64__
    small_float() = default;  // trivial as on a GPU: in a union, and never set
#else
    // g++ guards a __shared__ array of a class whose constructor it generates.  Such code is
    // removed only on x86-64 (device/assembly/rewrite.c).
    EMU_INLINE small_float() : bits(0) {
    }
#endif
    static EMU_CALL small_float of_bits(unsigned short from) {
        small_float result;
        result.bits = from;
        return result;
    }
    static EMU_CALL small_float rounded(double x, rounding how) {
        return of_bits(small_bits<DIGITS, LEAST>(x, how));
    }
    EMU_CALL unsigned short to_bits() const {
        return bits;
    }
    EMU_CALL double value() const {
        return small_value<DIGITS, LEAST>(bits);
    }

    TILEGRADE_FROM(float)
    TILEGRADE_FROM(double)
    TILEGRADE_FROM(short)
    TILEGRADE_FROM(unsigned short)
    TILEGRADE_FROM(int)
    TILEGRADE_FROM(unsigned int)
    TILEGRADE_FROM(long)
    TILEGRADE_FROM(unsigned long)
    TILEGRADE_FROM(long long)
    TILEGRADE_FROM(unsigned long long)
    EMU_CALL operator float() const {
        return (float)value();
    }
    EMU_CALL operator bool() const {
        return (bits & 0x7fff) != 0;
    }
    TILEGRADE_TO(signed char, -128, 127)
    TILEGRADE_TO(unsigned char, 0, 255)
    TILEGRADE_TO(char, -128, 127)
    TILEGRADE_TO(short, -32768, 32767)
    TILEGRADE_TO(unsigned short, 0, 65535)
    TILEGRADE_TO(int, -2147483647 - 1, 2147483647)
    TILEGRADE_TO(unsigned int, 0, 4294967295u)
    TILEGRADE_TO(long, -9223372036854775807l - 1, 9223372036854775807l)
    TILEGRADE_TO(unsigned long, 0, 18446744073709551615ul)
    TILEGRADE_TO(long long, -9223372036854775807ll - 1, 9223372036854775807ll)
    TILEGRADE_TO(unsigned long long, 0, 18446744073709551615ull)

    TILEGRADE_BINARY(+, __hadd)
    TILEGRADE_BINARY(-, __hsub)
    TILEGRADE_BINARY(*, __hmul)
    TILEGRADE_BINARY(/, __hdiv)
    EMU_CALL small_float operator+() const {
        return *this;
    }
    EMU_CALL small_float operator-() const {
        return of_bits(bits ^ 0x8000);
    }
    EMU_CALL small_float &operator++() {
        return *this += small_float(1.0);
    }
    EMU_CALL small_float &operator--() {
        return *this -= small_float(1.0);
    }
    EMU_CALL small_float operator++(int) {
        small_float before = *this;
        *this += small_float(1.0);
        return before;
    }
    EMU_CALL small_float operator--(int) {
        small_float before = *this;
        *this -= small_float(1.0);
        return before;
    }
    friend EMU_CALL small_float __hfma(small_float x, small_float y, small_float z) {
        return small_float(fma_to_odd(x.value(), y.value(), z.value()));
    }
    friend EMU_CALL small_float __hfma_sat(small_float x, small_float y, small_float z) {
        return saturate(__hfma(x, y, z));
    }
    friend EMU_CALL small_float __hfma_relu(small_float x, small_float y, small_float z) {
        small_float result = __hfma(x, y, z);
        return result.value() < 0.0 ? small_float(0.0) : result;
    }
    friend EMU_CALL small_float __hneg(small_float x) {
        return -x;
    }
    friend EMU_CALL small_float __habs(small_float x) {
        return of_bits(x.bits & 0x7fff);
    }

    TILEGRADE_COMPARE(==, __heq)
    TILEGRADE_COMPARE(!=, __hne)
    TILEGRADE_COMPARE(<, __hlt)
    TILEGRADE_COMPARE(<=, __hle)
    TILEGRADE_COMPARE(>, __hgt)
    TILEGRADE_COMPARE(>=, __hge)
    friend EMU_CALL bool __hisnan(small_float x) {
        return !ordered(x, x);
    }
    friend EMU_CALL int __hisinf(small_float x) {
        double value = x.value();
        return value == __builtin_inf() ? 1 : value == -__builtin_inf() ? -1 : 0;
    }
    friend EMU_CALL small_float __hmax(small_float x, small_float y) {
        return small_float(__builtin_fmax(x.value(), y.value()));
    }
    friend EMU_CALL small_float __hmin(small_float x, small_float y) {
        return small_float(__builtin_fmin(x.value(), y.value()));
    }
    friend EMU_CALL small_float __hmax_nan(small_float x, small_float y) {
        return ordered(x, y) ? __hmax(x, y) : of_bits(0x7fff);
    }
    friend EMU_CALL small_float __hmin_nan(small_float x, small_float y) {
        return ordered(x, y) ? __hmin(x, y) : of_bits(0x7fff);
    }

    // A GPU approximates some of these; the last digit may differ.
    TILEGRADE_UNARY(hsqrt, __builtin_sqrt(x))
    TILEGRADE_UNARY(hrsqrt, 1.0 / __builtin_sqrt(x))
    TILEGRADE_UNARY(hrcp, 1.0 / x)
    TILEGRADE_UNARY(hexp, __builtin_exp(x))
    TILEGRADE_UNARY(hexp2, __builtin_exp2(x))
    TILEGRADE_UNARY(hexp10, __builtin_pow(10.0, x))
    TILEGRADE_UNARY(hlog, __builtin_log(x))
    TILEGRADE_UNARY(hlog2, __builtin_log2(x))
    TILEGRADE_UNARY(hlog10, __builtin_log10(x))
    TILEGRADE_UNARY(hsin, __builtin_sin(x))
    TILEGRADE_UNARY(hcos, __builtin_cos(x))
    TILEGRADE_UNARY(htanh, __builtin_tanh(x))
    TILEGRADE_UNARY(htrunc, __builtin_trunc(x))
    TILEGRADE_UNARY(hceil, __builtin_ceil(x))
    TILEGRADE_UNARY(hfloor, __builtin_floor(x))
    TILEGRADE_UNARY(hrint, __builtin_rint(x))
};

#undef TILEGRADE_FROM
#undef TILEGRADE_TO
#undef TILEGRADE_BINARY
#undef TILEGRADE_COMPARE
#undef TILEGRADE_UNARY

}  // namespace tilegrade

#include "end.h"

#endif
