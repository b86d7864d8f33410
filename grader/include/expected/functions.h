// The functions of numbers, with the errors of CUDA's: see number.h, which includes this file.
#ifndef EXPECTED_FUNCTIONS_H
#define EXPECTED_FUNCTIONS_H

// Units in the last place of CUDA's functions, the less exact one of each pair: expf or __expf,
// logf or __logf, and so on.  Source: CUDA C++ Programming Guide, "Mathematical Functions".
#define NUMBER_ULP_EXP       2  // __expf: 2 + floor(|1.173 x|)
#define NUMBER_ULP_EXP_SLOPE 1.173
#define NUMBER_ULP_LOG       3        // __logf outside [0.5, 2] …
#define NUMBER_LOG_ERROR     0x1p-21  // within the range; __sinf and __cosf within [-pi, pi]
#define NUMBER_ULP_SQRT      2        // x * rsqrtf(x) besides sqrtf
#define NUMBER_ULP_OTHER     4        // tanhf, erff, sinf, cosf
#define NUMBER_ULP_POW       9
// A sum of exponentials may be rescaled each time that a term is added, as an online softmax does:
// one addition, one product, one exponential.
#define NUMBER_EXP_TERMS (2 + 2 * NUMBER_ULP_EXP)

// In the precision of numbers: that of long double takes three times as long.
#if NUMBER_BITS == 53
#define NUMBER_REAL_EXP expl
#else
#define NUMBER_REAL_EXP __builtin_exp
#endif

// At least exp(bound) - 1.
static inline number_real number_exp_moved(number_real bound) {
    return bound < 1 ? bound * (1 + bound) : NUMBER_REAL_EXP(bound);
}

// Covers expf, __expf, and exp2f of x * log2(e).
static inline number number_exp(const number &a) {
    number_need(a);
    if (a.unit > 0 && a.value == 0) {
        number one = 1;
        one.terms = NUMBER_EXP_TERMS;
        return one;
    }
    if (a.value + number_bound(a) < NUMBER_EXP_ZERO) {
        return number(0);
    }
    number_note(NOTE_EXPONENTIAL);
    number_real size = a.value < 0 ? -a.value : a.value;
    number_real value = NUMBER_REAL_EXP(a.value);
    number_real error = value * number_exp_moved(number_bound(a)) +
                        number_ulps(value, NUMBER_ULP_EXP + NUMBER_ULP_EXP_SLOPE * size);
    return number_of(value, error, NUMBER_EXP_TERMS);
}

static inline number number_log(const number &a) {
    number_need(a);
    number_real value = logl(a.value);
    number_real part = number_bound(a) / a.value;
    number_real own = number_ulps(value, NUMBER_ULP_LOG + 1);
    if (a.value >= 0.5 && a.value <= 2 && own < NUMBER_LOG_ERROR && NUMBER_BITS == 24) {
        own = NUMBER_LOG_ERROR;
    }
    return number_of(value, (part < 1 ? -log1pl(-part) : (number_real)INFINITY) + own, 1);
}

static inline number number_sqrt(const number &a) {
    number_need(a);
    if (a.unit > 0 && a.value == 0) {
        return a;
    }
    number_real value = sqrtl(a.value);
    number_real bound = number_bound(a);
    number_real moved = bound < a.value ? bound / value : sqrtl(bound);
    return number_of(value, moved + number_ulps(value, NUMBER_ULP_SQRT + 1), 1);
}

// A function whose slope is at most `slope`, with an absolute error of this many ulps of 1, as its
// usual formula by exponentials has near 0.
static inline number number_smooth(const number &a, number_real value, number_real slope) {
    number_need(a);
    number_real own = number_ulps(1, NUMBER_ULP_OTHER);
    return number_of(value, slope * number_bound(a) + own, 1);
}

static inline number number_tanh(const number &a) {
    return number_smooth(a, tanhl(a.value), 1);
}
static inline number number_erf(const number &a) {
    return number_smooth(a, erfl(a.value), 1.1284);
}
static inline number number_sin(const number &a) {
    return number_smooth(a, sinl(a.value), 1);
}
static inline number number_cos(const number &a) {
    return number_smooth(a, cosl(a.value), 1);
}

NUMBER_FUNCTION(exp, number_exp)
NUMBER_FUNCTION(log, number_log)
NUMBER_FUNCTION(sqrt, number_sqrt)
NUMBER_FUNCTION(tanh, number_tanh)
NUMBER_FUNCTION(erf, number_erf)
NUMBER_FUNCTION(sin, number_sin)
NUMBER_FUNCTION(cos, number_cos)

// For a base above 0.
static inline number pow(const number &a, const number &b) {
    number_need(a);
    number_need(b);
    number_real value = powl(a.value, b.value);
    number_real part = number_bound(a) / a.value;
    number_real moved = (part < 1 ? -log1pl(-part) : (number_real)INFINITY) * fabsl(b.value) +
                        fabsl(logl(a.value)) * number_bound(b);
    return number_of(value, value * expm1l(moved) + number_ulps(value, NUMBER_ULP_POW), 1);
}

#define NUMBER_AS_FLOAT(name, of)                                                                  \
    NUMBER_INLINE number name(const number &a) {                                                   \
        return of(a);                                                                              \
    }
NUMBER_AS_FLOAT(expf, exp)
NUMBER_AS_FLOAT(logf, log)
NUMBER_AS_FLOAT(sqrtf, sqrt)
NUMBER_AS_FLOAT(fabsf, fabs)
NUMBER_AS_FLOAT(tanhf, tanh)
NUMBER_AS_FLOAT(erff, erf)
NUMBER_AS_FLOAT(sinf, sin)
NUMBER_AS_FLOAT(cosf, cos)
NUMBER_AS_FLOAT(floorf, floor)
NUMBER_INLINE number fmaxf(const number &a, const number &b) {
    return fmax(a, b);
}
NUMBER_INLINE number fminf(const number &a, const number &b) {
    return fmin(a, b);
}
static inline number powf(const number &a, const number &b) {
    return pow(a, b);
}
NUMBER_INLINE number rsqrtf(const number &a) {
    return 1 / sqrt(a);
}

#endif
