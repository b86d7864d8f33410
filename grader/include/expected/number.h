// The numbers of an expected.c: the result of a right kernel, and a bound for the rounding errors
// of an honest kernel.
//
//     void reduction(const number *x, number *y, int N) {
//         number sum = 0;
//         for (int i = 0; i < N; ++i) {
//             sum += x[i];
//         }
//         y[0] = sum;
//     }
//
// An expected.c is plain, sequential C that uses `number` for float, double, half and bf16.  It is
// written for reading, not for speed.  EACH(i, n) is a loop over outputs that do not depend on each
// other: at large sizes, only some of them are computed.
//
// A number is a sum of n terms, each rounded at most q times in any honest kernel.
//   exact    the magnitudes of all terms together fit the format on a grid of `unit`, so every
//            partial sum in any order is exact, and the result is known bit for bit;
//   else     |computed - value| <= gamma(n - 1 + q) * magnitude + error, in any order.
// gamma(k) = k u / (1 - k u), u = 2^-24 for float.  Source: Higham, "Accuracy and Stability of
// Numerical Algorithms", chapters 3 and 4; grader/decisions/0042-bounds-of-any-result.md.
#ifndef EXPECTED_NUMBER_H
#define EXPECTED_NUMBER_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "expected/wire.h"

// Significand of the arithmetic of kernels: 24 for float, half and bf16, 53 if an array is double.
#ifndef NUMBER_BITS
#define NUMBER_BITS 24
#endif

#if NUMBER_BITS == 53
typedef long double number_real;
#define NUMBER_TINY     0x1p-1022L
#define NUMBER_HUGE     0x1p1022L
#define NUMBER_EXP_ZERO (-745.2L)  // exp below it is 0, in every library
#else
typedef double number_real;
#define NUMBER_TINY     0x1p-126
#define NUMBER_HUGE     0x1p126
#define NUMBER_EXP_ZERO (-104.0)
#endif
#define NUMBER_ULP_DIVIDE 2  // of __fdividef; also covers x * (1 / y)

extern "C" {
// Ends the run, because an element was used that was never set.
void number_unset(void) __attribute__((noreturn, noinline));
// Notes the place of one of enum expected_note.
void number_note(int note) __attribute__((noinline));
// The change that this call tries out; NULL: none.
extern struct expected_trial *number_trial;
extern double *number_tape;
// The loops of EACH: the number of the n iterations that are computed at this depth, and the k-th
// of these.
int number_each_begin(int n);
int number_each_at(int n, int count, int k);
void number_each_end(void);
}

// Operations are inlined, so that the return address of their calls is in the code of expected.c.
#define NUMBER_INLINE static inline __attribute__((always_inline))

// The largest power of two that divides a finite value; infinite for 0.
static inline double number_unit(number_real value) {
    if (value == 0) {
        return INFINITY;
    }
#if NUMBER_BITS == 24
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047);
    int zeros = __builtin_ctzll(bits | UINT64_C(1) << 52);
    if (exponent > 52) {
        bits = (uint64_t)(exponent - 52 + zeros) << 52;
        double unit = 0;
        memcpy(&unit, &bits, sizeof unit);
        return unit;
    }
#endif
    int places = 0;
    long double fraction = frexpl(fabsl((long double)value), &places);
    return ldexp(1.0, places - 64 + __builtin_ctzll((uint64_t)(fraction * 0x1p64L)));
}

struct number {
    number_real value;      // of an exact computation
    number_real magnitude;  // the sum of the magnitudes of its terms
    number_real error;      // errors not covered by gamma: functions, underflow.  -0: an element of
                            // an array, or its product with a power of two
    double unit;            // all its terms are multiples of it; 0: rounded; below 0: never set
    double terms;           // n
    double rounded;         // q

    number() : value(0), magnitude(0), error(0), unit(-1), terms(0), rounded(0) {
    }
    number(int whole) : number((number_real)whole) {
    }
    number(unsigned whole) : number((number_real)whole) {
    }
    number(long whole) : number((number_real)whole) {
    }
    number(unsigned long whole) : number((number_real)whole) {
    }
    number(long long whole) : number((number_real)whole) {
    }
    number(unsigned long long whole) : number((number_real)whole) {
    }
    number(float constant) : number((number_real)constant) {
    }
    // A constant such as 0.1 is rounded once.
    number(number_real constant)
        : value(constant), magnitude(0), error(0), unit(1), terms(constant == 0 ? 0 : 1),
          rounded(0) {
        if (isfinite(constant)) {
            magnitude = constant < 0 ? -constant : constant;
            unit = number_unit(constant);
            if (!(magnitude < unit * (double)(UINT64_C(1) << NUMBER_BITS))) {
                unit = 0;
                rounded = 1;
            }
        }
    }
#if NUMBER_BITS == 53
    number(double constant) : number((number_real)constant) {
    }
#endif

    explicit operator int() const {
        return (int)whole();
    }
    explicit operator long() const {
        return (long)whole();
    }
    explicit operator unsigned() const {
        return (unsigned)whole();
    }
    explicit operator unsigned char() const {
        return (unsigned char)whole();
    }
    number_real whole() const;
};

static inline number_real number_gamma(double roundings) {
    double part = roundings * (1.0 / (double)(UINT64_C(1) << NUMBER_BITS));
    return part < 0.5 ? part / (1 - part) : INFINITY;
}

// The most roundings of one term.
static inline double number_roundings(const number &a) {
    return a.rounded + (a.terms > 1 ? a.terms - 1 : 0);
}

// The largest error of an honest kernel.
static inline number_real number_bound(const number &a) {
    if (a.unit > 0 || a.magnitude + a.error == 0) {
        return 0;
    }
    number_real gamma = number_gamma(number_roundings(a));
    return gamma < INFINITY ? gamma * a.magnitude + a.error * (1 + gamma) : INFINITY;
}

static inline void number_need(const number &a) {
    if (__builtin_expect(a.unit < 0, 0)) {
        number_unset();
    }
}

// Whether a new sum or product is exact.  One of subnormal numbers may be flushed to 0.
static inline void number_settle(number &a) {
    if (!(a.magnitude < a.unit * (double)(UINT64_C(1) << NUMBER_BITS)) || a.unit < NUMBER_TINY) {
        if (a.unit > 0) {
            number_note(NOTE_OVERFLOWS);
        }
        a.unit = 0;
        a.error += NUMBER_TINY;
        if (!(a.magnitude < NUMBER_HUGE)) {
            number_note(NOTE_HUGE);
        }
    }
}

static inline number number_of(number_real value, number_real error, double terms) {
    number result;
    number_note(NOTE_FUNCTION);
    result.value = value;
    result.magnitude = value < 0 ? -value : value;
    result.unit = 0;
    result.terms = terms;
    result.error = error + (result.magnitude < NUMBER_TINY ? NUMBER_TINY : 0);
    return result;
}

// One ulp of a result is at most 2 u of its magnitude.
static inline number_real number_ulps(number_real value, number_real count) {
    return count * 2 * (value < 0 ? -value : value) / (double)(UINT64_C(1) << NUMBER_BITS);
}

static inline number number_sum(const number &a, const number &b, number_real value) {
    number_need(a);
    number_need(b);
    number result;
    result.value = value;
    result.magnitude = a.magnitude + b.magnitude;
    result.error = a.error + b.error + 0;  // no element: -0 + 0 is not -0
    result.unit = a.unit < b.unit ? a.unit : b.unit;
    result.terms = a.terms + b.terms;
    result.rounded = a.rounded > b.rounded ? a.rounded : b.rounded;
    number_settle(result);
    return result;
}

NUMBER_INLINE number number_add(const number &a, const number &b) {
    return number_sum(a, b, a.value + b.value);
}

NUMBER_INLINE number number_subtract(const number &a, const number &b) {
    return number_sum(a, b, a.value - b.value);
}

static inline number operator-(const number &a) {
    number_need(a);
    number result = a;
    result.value = -a.value;
    return result;
}

static inline number operator+(const number &a) {
    return a;
}

// A product with a power of two rounds nothing.
static inline bool number_is_power(const number &a) {
    return a.unit > 0 && a.terms == 1 && a.rounded == 0 && a.magnitude == a.unit;
}

static inline number number_scaled(const number &a, number_real factor) {
    number_real size = factor < 0 ? -factor : factor;
    number result = a;
    result.value *= factor;
    result.magnitude *= size;
    result.error *= size;
    result.unit *= (double)size;
    if (result.magnitude > 0 && result.magnitude < NUMBER_TINY) {
        result.unit = 0;
        result.error += NUMBER_TINY;
    }
    return result;
}

NUMBER_INLINE number number_multiply(const number &a, const number &b) {
    number_need(a);
    number_need(b);
    if ((a.unit > 0 && a.magnitude == 0 && isfinite(b.value)) ||
        (b.unit > 0 && b.magnitude == 0 && isfinite(a.value))) {
        return number(0);
    }
    if (number_is_power(b)) {
        return number_scaled(a, b.value);
    }
    if (number_is_power(a)) {
        return number_scaled(b, a.value);
    }
    number result;
    result.value = a.value * b.value;
    result.magnitude = a.magnitude * b.magnitude;
    result.error = a.error * b.magnitude + b.error * a.magnitude + a.error * b.error;
    result.unit = a.unit * b.unit;
    result.terms = 1;
    result.rounded = number_roundings(a) + number_roundings(b) + 1;
    if (result.magnitude < NUMBER_TINY) {
        result.unit = 0;
        result.error += NUMBER_TINY;
    }
    number_settle(result);
    return result;
}

// Each term of a may be divided on its own, or the sum of them.
NUMBER_INLINE number number_divide(const number &a, const number &b) {
    number_need(a);
    number_need(b);
    if (number_is_power(b)) {
        return number_scaled(a, 1 / b.value);
    }
    number_note(NOTE_FUNCTION);
    number_real size = b.value < 0 ? -b.value : b.value;
    number_real part = number_bound(b) / size;
    part = part < 1 ? part / (1 - part) : (number_real)INFINITY;
    if (a.unit > 0 && a.magnitude == 0 && size > 0 && part < 1) {
        return number(0);
    }
    number result;
    result.value = a.value / b.value;
    result.magnitude = a.magnitude / size;
    result.error = a.error / size * (1 + part) + result.magnitude * part;
    result.unit = 0;
    result.terms = a.terms;
    result.rounded = a.rounded + 2 * NUMBER_ULP_DIVIDE;
    if (result.magnitude < NUMBER_TINY) {
        result.error += NUMBER_TINY;
    }
    return result;
}

// --- Comparisons: where rounding could change the answer, it is noted ----------------------------

static inline void number_decide(const number &a, const number &b) {
    number_need(a);
    number_need(b);
    number_real gap = a.value < b.value ? b.value - a.value : a.value - b.value;
    number_real bound = number_bound(a) + number_bound(b);
    number_note(NOTE_COMPARED);
    if (bound > 0 && !(gap > bound)) {
        number_note(NOTE_UNDECIDED);
    }
}

static inline bool operator<(const number &a, const number &b) {
    number_decide(a, b);
    return a.value < b.value;
}
static inline bool operator>(const number &a, const number &b) {
    return b < a;
}
static inline bool operator<=(const number &a, const number &b) {
    number_decide(a, b);
    return a.value <= b.value;
}
static inline bool operator>=(const number &a, const number &b) {
    return b <= a;
}
static inline bool operator==(const number &a, const number &b) {
    number_decide(a, b);
    return a.value == b.value;
}
static inline bool operator!=(const number &a, const number &b) {
    return !(a == b);
}

// The larger of two: if rounding decides which one, both are valid.
static inline number number_extreme(const number &a, const number &b, bool takes_a) {
    number_need(a);
    number_need(b);
    number_note(NOTE_MORE);
    number_real bound = number_bound(a) + number_bound(b);
    number_real gap = a.value < b.value ? b.value - a.value : a.value - b.value;
    number result = takes_a ? a : b;
    if (bound > 0 && !(gap > bound)) {
        const number &other = takes_a ? b : a;
        double most =
            number_roundings(a) > number_roundings(b) ? number_roundings(a) : number_roundings(b);
        result.unit = 0;
        result.magnitude = result.magnitude > other.magnitude ? result.magnitude : other.magnitude;
        result.error = result.error > other.error ? result.error : other.error;
        result.terms = 1;
        result.rounded = most;
    }
    return result;
}

NUMBER_INLINE number number_larger(const number &a, const number &b) {
    return number_extreme(a, b, a.value >= b.value);
}
NUMBER_INLINE number number_smaller(const number &a, const number &b) {
    return number_extreme(a, b, a.value <= b.value);
}

#include "expected/trial.h"

NUMBER_OPERATION(operator+, SUM, number_add)
NUMBER_OPERATION(operator-, DIFFERENCE, number_subtract)
NUMBER_OPERATION(operator*, PRODUCT, number_multiply)
NUMBER_OPERATION(operator/, QUOTIENT, number_divide)
NUMBER_OPERATION(fmax, LARGER, number_larger)
NUMBER_OPERATION(fmin, SMALLER, number_smaller)

NUMBER_INLINE number &operator+=(number &a, const number &b) {
    return a = a + b;
}
NUMBER_INLINE number &operator-=(number &a, const number &b) {
    return a = a - b;
}
NUMBER_INLINE number &operator*=(number &a, const number &b) {
    return a = a * b;
}
NUMBER_INLINE number &operator/=(number &a, const number &b) {
    return a = a / b;
}
NUMBER_INLINE number &operator++(number &a) {
    return a = a + 1;
}
NUMBER_INLINE number operator++(number &a, int) {
    number before = a;
    a = a + 1;
    return before;
}
static inline number fabs(const number &a) {
    return a.value < 0 ? -a : a;
}

// The whole part, if rounding does not decide it.
inline number_real number::whole() const {
    number_need(*this);
    number_note(NOTE_FUNCTION);
    number_real bound = number_bound(*this);
    if (bound > 0 && truncl(value - bound) != truncl(value + bound)) {
        number_note(NOTE_UNDECIDED);
    }
    return truncl(value);
}

static inline number floor(const number &a) {
    number_need(a);
    number_note(NOTE_FUNCTION);
    number_real bound = number_bound(a);
    if (bound > 0 && floorl(a.value - bound) != floorl(a.value + bound)) {
        number_note(NOTE_UNDECIDED);
    }
    return number((number_real)floorl(a.value));
}

#include "expected/functions.h"

// --- Loops over outputs that do not depend on each other -----------------------------------------

struct number_each {
    int n, count, k;
    explicit number_each(int end) : n(end), count(number_each_begin(end)), k(0) {
    }
    ~number_each() {
        number_each_end();
    }
};

#define EACH(i, end)                                                                               \
    for (number_each each_##i(end); each_##i.k < each_##i.count; ++each_##i.k)                     \
        for (int i = number_each_at(each_##i.n, each_##i.count, each_##i.k), once_##i = 1;         \
             once_##i; once_##i = 0)

#endif
