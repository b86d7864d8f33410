// Included before an expected.c by its build: the runner's interface to numbers.
#ifndef EXPECTED_MAIN_H
#define EXPECTED_MAIN_H

#include <fenv.h>

#include "expected/number.h"
#include "expected/wire.h"

// Numbers [first, first + count) of an array; those outside [0, elements) are slack before it.
extern "C" {
extern const uint64_t expected_number_bytes;
void expected_fill(void *numbers, int64_t first, uint64_t count, uint64_t elements, uint32_t type,
                   const void *values);
int64_t expected_flush(const void *numbers, int64_t first, uint64_t count, uint64_t elements,
                       uint32_t type, const void *before, struct expected_result *results);
void expected_widen(float *floats, uint64_t count, uint32_t type, const void *values);
int64_t expected_call(void *const *array, const struct expected_request *request);
int64_t expected_call_plain(void *const *array, const struct expected_request *request);
// For a check function: the text for the student about a refused result.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
}

#define EXPECTED_CALL                                                                              \
    int64_t expected_call(void *const *array, const struct expected_request *request)
#define EXPECTED_CALL_PLAIN                                                                        \
    extern "C" int64_t expected_call_plain(void *const *array,                                     \
                                           const struct expected_request *request)

const uint64_t expected_number_bytes = sizeof(number);

// These functions round to the nearest also in the runs in which arithmetic rounds up or down.
static __attribute__((noinline, unused)) double expected_nearest(double x) {
    const int mode = fegetround();
    (void)fesetround(FE_TONEAREST);
    volatile double value = x;
    value = nearbyint(value);
    (void)fesetround(mode);
    return value;
}
#define nearbyint(x)  expected_nearest(x)
#define rint(x)       expected_nearest(x)
#define nearbyintf(x) ((float)expected_nearest(x))
#define rintf(x)      ((float)expected_nearest(x))
#define lrint(x)      ((long)expected_nearest(x))
#define lrintf(x)     ((long)expected_nearest(x))

// The formats of numbers, by enum expected_type.
static const struct expected_format {
    int digits;    // of the significand
    double least;  // the least number above 0
    double largest;
} expected_formats[] = {{24, 0x1p-149, FLT_MAX},
                        {53, 0x1p-1074, DBL_MAX},
                        {11, 0x1p-24, 65504},
                        {8, 0x1p-133, 0x1.fep127}};

// One half or bf16, from its bits: a sign, an exponent, and all digits but the first.
static double expected_small(uint32_t type, uint16_t bits) {
    const struct expected_format &format = expected_formats[type];
    const int one = 1 << (format.digits - 1);
    const int infinity = 0x7fff >> (format.digits - 1);  // exponent of infinity and NaN
    int exponent = (bits & 0x7fff) >> (format.digits - 1);
    int fraction = bits & (one - 1);
    double value = exponent == 0 ? fraction * format.least
                                 : ldexp((fraction + one) * format.least, exponent - 1);
    if (exponent == infinity) {
        value = fraction == 0 ? INFINITY : NAN;
    }
    return bits >> 15 ? -value : value;
}

// The types of a check function in place of __half and __nv_bfloat16.
template <uint32_t TYPE> struct expected_small_float {
    uint16_t bits;
    operator float() const {
        return (float)expected_small(TYPE, bits);
    }
};
typedef expected_small_float<EXPECTED_HALF> half;
typedef expected_small_float<EXPECTED_BF16> bf16;

static double expected_value(uint32_t type, const void *values, uint64_t i) {
    switch (type) {
    case EXPECTED_FLOAT:
        return ((const float *)values)[i];
    case EXPECTED_DOUBLE:
        return ((const double *)values)[i];
    default:
        return expected_small(type, ((const uint16_t *)values)[i]);
    }
}

// values is NULL for an output: none of its elements is set.
void expected_fill(void *numbers, int64_t first, uint64_t count, uint64_t elements, uint32_t type,
                   const void *values) {
    struct number *number_at = (struct number *)numbers;
    for (uint64_t k = 0; k < count; k++) {
        int64_t i = first + (int64_t)k;
        if (values && i >= 0 && (uint64_t)i < elements) {
            number_at[k] = number((number_real)expected_value(type, values, (uint64_t)i));
            number_at[k].error = -(number_real)0;
        } else {
            number_at[k] = number();
        }
    }
}

// Storing rounds once more, unless the value is exact in the format.
static number_real expected_rounding(uint32_t type, number_real value) {
    const struct expected_format &format = expected_formats[type];
    number_real size = value < 0 ? -value : value;
    return format.digits >= NUMBER_BITS
               ? 0
               : size / (double)(UINT64_C(1) << format.digits) + format.least / 2;
}

static bool expected_fits(uint32_t type, number_real value) {
    const struct expected_format &format = expected_formats[type];
    double unit = number_unit(value);
    number_real size = value < 0 ? -value : value;
    return type == EXPECTED_DOUBLE || size == 0 ||
           (size < unit * (double)(UINT64_C(1) << format.digits) && unit >= format.least &&
            size <= format.largest);
}

// before: the initial contents of an inout array, if only samples are computed; else NULL.  An
// unchanged element was not computed.
// Returns the index of a number before the first element that was written, or 0.
int64_t expected_flush(const void *numbers, int64_t first, uint64_t count, uint64_t elements,
                       uint32_t type, const void *before, struct expected_result *results) {
    int64_t outside = 0;
    const double largest = expected_formats[type].largest;
    const struct number *number_at = (const struct number *)numbers;
    for (uint64_t k = 0; k < count; k++) {
        const struct number &a = number_at[k];
        int64_t i = first + (int64_t)k;
        if (a.unit < 0) {
            continue;
        }
        if (i < 0) {
            outside = i;
            continue;
        }
        if ((uint64_t)i >= elements) {
            break;
        }
        if (before && a.value == expected_value(type, before, (uint64_t)i)) {
            continue;
        }
        number_real bound = number_bound(a);
        bool is_element = a.error == 0 && signbit(a.error) && a.rounded == 0;
        struct expected_result result = {
            (double)a.value, is_element ? EXPECTED_COPY : EXPECTED_EXACT, (double)a.magnitude};
        if (!is_element) {
            number_note(a.terms <= 2 && a.rounded == 0 ? NOTE_TWO : NOTE_MORE);
        }
        if (isfinite(a.value) && (bound > 0 || !expected_fits(type, a.value))) {
            // The value itself was computed in double, which adds a little.
            bound += expected_rounding(type, a.value + bound);
            bound += a.magnitude * 0x1p-50;
            result.bound = (double)(bound * (1 + 0x1p-20));
        }
        if (isfinite(a.value) && (a.value > largest || a.value < -largest)) {
            result = (struct expected_result){a.value > 0 ? INFINITY : -INFINITY, EXPECTED_EXACT,
                                              (double)a.magnitude};
        }
        results[i] = result;
    }
    return outside;
}

// Plain floats of halves.
void expected_widen(float *floats, uint64_t count, uint32_t type, const void *values) {
    for (uint64_t i = 0; i < count; i++) {
        floats[i] = (float)expected_small(type, ((const uint16_t *)values)[i]);
    }
}

#endif
