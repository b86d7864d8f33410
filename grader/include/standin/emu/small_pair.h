// Two numbers of 16 bits side by side: __half2 and __nv_bfloat162, one access of 4 bytes.
#ifndef TILEGRADE_EMU_SMALL_PAIR_H
#define TILEGRADE_EMU_SMALL_PAIR_H

#include "small_float.h"

#include "begin.h"

namespace tilegrade {

#define TILEGRADE_BINARY(sign, name)                                                               \
    friend EMU_CALL small_pair operator sign(const small_pair &a, const small_pair &b) {           \
        return small_pair(a.x sign b.x, a.y sign b.y);                                             \
    }                                                                                              \
    EMU_CALL small_pair &operator sign##=(const small_pair &b) {                                   \
        *this = *this sign b;                                                                      \
        return *this;                                                                              \
    }                                                                                              \
    friend EMU_CALL small_pair name(small_pair a, small_pair b) {                                  \
        return a sign b;                                                                           \
    }
#define TILEGRADE_EACH(name, of)                                                                   \
    friend EMU_CALL small_pair name(small_pair a, small_pair b) {                                  \
        return small_pair(of(a.x, b.x), of(a.y, b.y));                                             \
    }
#define TILEGRADE_ONE(name, of)                                                                    \
    friend EMU_CALL small_pair name(small_pair a) {                                                \
        return small_pair(of(a.x), of(a.y));                                                       \
    }
// Two functions: one gives 1.0 for each number for which the comparison holds, the other returns
// whether it holds for both.
#define TILEGRADE_COMPARE(sign, of)                                                                \
    friend EMU_CALL bool operator sign(const small_pair &a, const small_pair &b) {                 \
        return of(a.x, b.x) && of(a.y, b.y);                                                       \
    }                                                                                              \
    friend EMU_CALL small_pair of##2(small_pair a, small_pair b) {                                 \
        return small_pair(NUMBER(of(a.x, b.x) ? 1.0 : 0.0), NUMBER(of(a.y, b.y) ? 1.0 : 0.0));     \
    }

template <class NUMBER> struct __attribute__((aligned(4))) small_pair {
    NUMBER x, y;

#ifdef __x86_64__  // see small_float
    small_pair() = default;
#else
    EMU_INLINE small_pair() : x(), y() {
    }
#endif
    EMU_CALL small_pair(const NUMBER &x_, const NUMBER &y_) : x(x_), y(y_) {
    }

    TILEGRADE_BINARY(+, __hadd2)
    TILEGRADE_BINARY(-, __hsub2)
    TILEGRADE_BINARY(*, __hmul2)
    TILEGRADE_BINARY(/, __h2div)
    TILEGRADE_EACH(__hadd2_rn, __hadd)
    TILEGRADE_EACH(__hsub2_rn, __hsub)
    TILEGRADE_EACH(__hmul2_rn, __hmul)
    TILEGRADE_EACH(__hadd2_sat, __hadd_sat)
    TILEGRADE_EACH(__hsub2_sat, __hsub_sat)
    TILEGRADE_EACH(__hmul2_sat, __hmul_sat)
    TILEGRADE_EACH(__hmax2, __hmax)
    TILEGRADE_EACH(__hmin2, __hmin)
    TILEGRADE_COMPARE(==, __heq)
    TILEGRADE_COMPARE(!=, __hne)
    TILEGRADE_COMPARE(<, __hlt)
    TILEGRADE_COMPARE(<=, __hle)
    TILEGRADE_COMPARE(>, __hgt)
    TILEGRADE_COMPARE(>=, __hge)
    friend EMU_CALL bool __hbeq2(small_pair a, small_pair b) {
        return a == b;
    }
    friend EMU_CALL small_pair __hfma2(small_pair a, small_pair b, small_pair c) {
        return small_pair(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
    }
    friend EMU_CALL small_pair __hfma2_relu(small_pair a, small_pair b, small_pair c) {
        return small_pair(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
    }
    friend EMU_CALL small_pair operator-(const small_pair &a) {
        return small_pair(-a.x, -a.y);
    }
    TILEGRADE_ONE(__hneg2, __hneg)
    TILEGRADE_ONE(__habs2, __habs)
    TILEGRADE_ONE(h2sqrt, hsqrt)
    TILEGRADE_ONE(h2rsqrt, hrsqrt)
    TILEGRADE_ONE(h2rcp, hrcp)
    TILEGRADE_ONE(h2exp, hexp)
    TILEGRADE_ONE(h2log, hlog)
    TILEGRADE_ONE(h2tanh, htanh)
    friend EMU_CALL float __low2float(small_pair a) {
        return (float)a.x;
    }
    friend EMU_CALL float __high2float(small_pair a) {
        return (float)a.y;
    }
    friend EMU_CALL small_pair __lowhigh2highlow(small_pair a) {
        return small_pair(a.y, a.x);
    }
};

#undef TILEGRADE_BINARY
#undef TILEGRADE_EACH
#undef TILEGRADE_ONE
#undef TILEGRADE_COMPARE

}  // namespace tilegrade

// Functions whose names contain the type's name.  TILEGRADE_SMALL takes the type, the pair's type,
// and the words for one and for two numbers in these names.
#define TILEGRADE_SMALL_ROUNDED(number, name, suffix, how)                                         \
    EMU_CALL number __float2##name##suffix(float x) {                                              \
        return number::rounded(x, tilegrade::how);                                                 \
    }
#define TILEGRADE_SMALL_INTEGER(number, name, type, word)                                          \
    EMU_CALL number __##word##2##name##_rn(type x) {                                               \
        return number(x);                                                                          \
    }                                                                                              \
    EMU_CALL type __##name##2##word##_rz(number x) {                                               \
        return (type)x;                                                                            \
    }                                                                                              \
    EMU_CALL type __##name##2##word##_rn(number x) {                                               \
        return (type)hrint(x);                                                                     \
    }                                                                                              \
    EMU_CALL type __##name##2##word##_rd(number x) {                                               \
        return (type)hfloor(x);                                                                    \
    }                                                                                              \
    EMU_CALL type __##name##2##word##_ru(number x) {                                               \
        return (type)hceil(x);                                                                     \
    }
#define TILEGRADE_SMALL_SHUFFLE(type, word, name, how)                                             \
    EMU_CALL type __shfl##name##_sync(unsigned int mask, type value, how from, int width = 32) {   \
        word carry;                                                                                \
        __builtin_memcpy(&carry, &value, sizeof value);                                            \
        carry = (word)__shfl##name##_sync(mask, (unsigned int)carry, from, width);                 \
        __builtin_memcpy((void *)&value, &carry, sizeof value);                                    \
        return value;                                                                              \
    }
#define TILEGRADE_SMALL_OF(type, word)                                                             \
    TILEGRADE_SMALL_SHUFFLE(type, word, , int)                                                     \
    TILEGRADE_SMALL_SHUFFLE(type, word, _up, unsigned int)                                         \
    TILEGRADE_SMALL_SHUFFLE(type, word, _down, unsigned int)                                       \
    TILEGRADE_SMALL_SHUFFLE(type, word, _xor, int)                                                 \
    EMU_NEEDS_GPU(atomics_of_16_bit_numbers) type atomicAdd(type *, type);
#define TILEGRADE_SMALL(number, pair, name)                                                        \
    EMU_CALL number __float2##name(float x) {                                                      \
        return number(x);                                                                          \
    }                                                                                              \
    TILEGRADE_SMALL_ROUNDED(number, name, _rn, NEAREST)                                            \
    TILEGRADE_SMALL_ROUNDED(number, name, _rz, TO_ZERO)                                            \
    TILEGRADE_SMALL_ROUNDED(number, name, _rd, DOWN)                                               \
    TILEGRADE_SMALL_ROUNDED(number, name, _ru, UP)                                                 \
    EMU_CALL number __double2##name(double x) {                                                    \
        return number(x);                                                                          \
    }                                                                                              \
    EMU_CALL float __##name##2float(number x) {                                                    \
        return (float)x;                                                                           \
    }                                                                                              \
    TILEGRADE_SMALL_INTEGER(number, name, int, int)                                                \
    TILEGRADE_SMALL_INTEGER(number, name, unsigned int, uint)                                      \
    TILEGRADE_SMALL_INTEGER(number, name, short, short)                                            \
    TILEGRADE_SMALL_INTEGER(number, name, unsigned short, ushort)                                  \
    TILEGRADE_SMALL_INTEGER(number, name, long long, ll)                                           \
    TILEGRADE_SMALL_INTEGER(number, name, unsigned long long, ull)                                 \
    EMU_CALL short __##name##_as_short(number x) {                                                 \
        return (short)x.to_bits();                                                                 \
    }                                                                                              \
    EMU_CALL unsigned short __##name##_as_ushort(number x) {                                       \
        return x.to_bits();                                                                        \
    }                                                                                              \
    EMU_CALL number __short_as_##name(short x) {                                                   \
        return number::of_bits((unsigned short)x);                                                 \
    }                                                                                              \
    EMU_CALL number __ushort_as_##name(unsigned short x) {                                         \
        return number::of_bits(x);                                                                 \
    }                                                                                              \
    EMU_CALL pair __##name##2##name##2(number x) {                                                 \
        return pair(x, x);                                                                         \
    }                                                                                              \
    EMU_CALL pair __halves2##name##2(number x, number y) {                                         \
        return pair(x, y);                                                                         \
    }                                                                                              \
    EMU_CALL pair make_##name##2(number x, number y) {                                             \
        return pair(x, y);                                                                         \
    }                                                                                              \
    EMU_CALL pair __float2##name##2_rn(float x) {                                                  \
        return pair(number(x), number(x));                                                         \
    }                                                                                              \
    EMU_CALL pair __floats2##name##2_rn(float x, float y) {                                        \
        return pair(number(x), number(y));                                                         \
    }                                                                                              \
    EMU_CALL pair __float22##name##2_rn(float2 x) {                                                \
        return pair(number(x.x), number(x.y));                                                     \
    }                                                                                              \
    EMU_CALL float2 __##name##22float2(pair x) {                                                   \
        return make_float2((float)x.x, (float)x.y);                                                \
    }                                                                                              \
    EMU_CALL number __low2##name(pair x) {                                                         \
        return x.x;                                                                                \
    }                                                                                              \
    EMU_CALL number __high2##name(pair x) {                                                        \
        return x.y;                                                                                \
    }                                                                                              \
    EMU_CALL pair __low2##name##2(pair x) {                                                        \
        return pair(x.x, x.x);                                                                     \
    }                                                                                              \
    EMU_CALL pair __high2##name##2(pair x) {                                                       \
        return pair(x.y, x.y);                                                                     \
    }                                                                                              \
    TILEGRADE_SMALL_OF(number, unsigned short)                                                     \
    TILEGRADE_SMALL_OF(pair, unsigned int)

#include "end.h"

#endif
