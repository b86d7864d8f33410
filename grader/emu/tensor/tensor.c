// The arithmetic of tensor cores: see tensor.h.
//
// Products are exact.  A step takes the sum so far and some products at once, in no order: each is
// aligned to the largest of them and cut there, the sum is exact, and then it is cut to float, or
// rounded to nearest if C and D are half.  From float sums, a D of half is rounded at the end.
// Source: measured on an H200 (tests/gpu/tensor_h200.h).  The model is that of Fasi, Higham,
// Mikaitis and Pranesh, Numerical behavior of NVIDIA tensor cores, PeerJ Computer Science 7:e330,
// 2021, who find other numbers on other cards.
#include "emu/tensor/tensor.h"

#include <math.h>
#include <string.h>

// What differs from card to card; here an H200's.
#define PRODUCTS_A_STEP_16 16  // half, bf16
#define PRODUCTS_A_STEP_32 8   // tf32 …
#define PRODUCTS_A_WMMA_32 4   // … of wmma, which nvcc makes of instructions of 4
#define BITS_BELOW         2   // that an aligned term keeps below the last bit of float

#define FLOAT_DIGITS 24
#define TF32_KEPT    0xffffe000u  // a factor loses the other bits

bool tensor_call_decode(uint32_t code, uint32_t types, struct tensor_call *ret_call) {
    struct tensor_call *call = ret_call;
    enum fragment_type c = (enum fragment_type)(types & 7);
    enum fragment_type d = (enum fragment_type)(types >> 3 & 7);
    call->saturates = (types >> 6 & 1) != 0;
    if (!fragment_decode(code, &call->a) || call->a.use != FRAGMENT_A ||
        !fragment_of_call(&call->a, FRAGMENT_B, call->a.type, &call->b) ||
        !fragment_of_call(&call->a, FRAGMENT_SUM, c, &call->c) ||
        !fragment_of_call(&call->a, FRAGMENT_SUM, d, &call->d)) {
        return false;
    }
    switch (call->a.type) {
    case FRAGMENT_S8:
    case FRAGMENT_U8:
        return c == FRAGMENT_INT && d == FRAGMENT_INT;
    case FRAGMENT_HALF:
        return c != FRAGMENT_INT && d != FRAGMENT_INT;
    default:
        return c == FRAGMENT_FLOAT && d == FRAGMENT_FLOAT;
    }
}

// Values, and the exponents that they are aligned by: a product's is the sum of its factors',
// before its significand is normalized.
struct terms {
    double value[FRAGMENT_AREA_MAX];
    int exponent[FRAGMENT_AREA_MAX];
};

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Of a number that is not 0.
static int exponent_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

static double value_of_small(uint32_t bits, int digits, int least) {
    uint32_t fraction = bits & ((1u << (digits - 1)) - 1);
    int exponent = (int)((bits & 0x7fff) >> (digits - 1));
    double value = 0.0;
    if (exponent == 3 - 2 * least) {
        value = fraction == 0 ? (double)INFINITY : (double)NAN;
    } else {
        fraction += exponent > 0 ? 1u << (digits - 1) : 0;
        value = fraction * power_of_two((exponent > 0 ? exponent : 1) - 1 + least - (digits - 1));
    }
    return bits & 0x8000 ? -value : value;
}

static double value_of(uint32_t bits, enum fragment_type type) {
    float value;
    if (type == FRAGMENT_HALF) {
        return value_of_small(bits, 11, -14);
    }
    if (type == FRAGMENT_BF16) {
        return value_of_small(bits, 8, -126);
    }
    bits &= type == FRAGMENT_TF32 ? TF32_KEPT : UINT32_MAX;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static void term_read(uint32_t bits, enum fragment_type type, struct terms *terms, uint32_t i) {
    double value = value_of(bits, type);
    terms->value[i] = value;
    terms->exponent[i] = value != 0.0 ? exponent_of(value) : 0;
}

// The sum of the terms, each cut below the last bits that the largest one leaves; exact then.
static double aligned_sum(const struct terms *terms, uint32_t count) {
    int most = INT32_MIN;
    double plain = 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        plain += terms->value[i];
        if (terms->value[i] != 0.0 && terms->exponent[i] > most) {
            most = terms->exponent[i];
        }
    }
    if (most == INT32_MIN || !isfinite(plain)) {
        return plain;  // NaN and infinity as in any sum: not measured
    }
    int last = most - (FLOAT_DIGITS - 1) - BITS_BELOW;
    double up = power_of_two(-last);
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)(int64_t)(terms->value[i] * up);
    }
    return sum * power_of_two(last);
}

// Toward zero.
static uint32_t float_cut(double value) {
    float near = (float)value;
    uint32_t bits;
    memcpy(&bits, &near, sizeof bits);
    if (isnan(value)) {
        return 0x7fffffffu;
    }
    return isfinite(near) && fabs((double)near) > fabs(value) ? bits - 1 : bits;
}

// To nearest, ties to even.
static uint32_t half_near(double value) {
    uint32_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (isnan(value)) {
        return 0x7fff;
    }
    if (size >= 65520.0) {
        return sign | 0x7c00;
    }
    int exponent = size >= 0x1p-14 ? exponent_of(size) : -14;
    // Adding the digits to the exponent carries into it where they round up to the next power.
    uint32_t digits = (uint32_t)rint(size * power_of_two(10 - exponent));
    return sign | (((uint32_t)(exponent + 14) << 10) + digits);
}

static uint32_t real_element(const struct tensor_call *call, const struct terms *a,
                             const struct terms *b, uint32_t sum, uint32_t row, uint32_t column) {
    const struct fragment_shape *shape = &call->a.shape;
    bool by_wmma = call->a.packed == 1 && shape->n != 8;
    uint32_t step = call->a.type != FRAGMENT_TF32 ? PRODUCTS_A_STEP_16
                    : by_wmma                     ? PRODUCTS_A_WMMA_32
                                                  : PRODUCTS_A_STEP_32;
    enum fragment_type type = call->c.type;
    bool halves = call->c.type == FRAGMENT_HALF && call->d.type == FRAGMENT_HALF;
    step = step < shape->k ? step : shape->k;
    for (uint32_t first = 0; first < shape->k; first += step) {
        static struct terms terms;
        term_read(sum, type, &terms, 0);
        for (uint32_t i = 0; i < step; i++) {
            uint32_t left = row * shape->k + first + i;
            uint32_t right = (first + i) * shape->n + column;
            terms.value[1 + i] = a->value[left] * b->value[right];
            terms.exponent[1 + i] = a->exponent[left] + b->exponent[right];
        }
        double exact = aligned_sum(&terms, 1 + step);
        sum = halves ? half_near(exact) : float_cut(exact);
        type = halves ? FRAGMENT_HALF : FRAGMENT_FLOAT;
    }
    bool narrows = call->d.type == FRAGMENT_HALF && !halves;
    return narrows ? half_near(value_of(sum, FRAGMENT_FLOAT)) : sum;
}

static uint32_t integer_element(const struct tensor_call *call,
                                const struct tensor_operands *operands, uint32_t row,
                                uint32_t column) {
    const struct fragment_shape *shape = &call->a.shape;
    bool has_sign = call->a.type == FRAGMENT_S8;
    int64_t sum = (int32_t)operands->c[row * shape->n + column];
    for (uint32_t k = 0; k < shape->k; k++) {
        uint32_t a = operands->a[row * shape->k + k];
        uint32_t b = operands->b[k * shape->n + column];
        sum += has_sign ? (int64_t)((int8_t)a * (int8_t)b) : (int64_t)((uint8_t)a * (uint8_t)b);
    }
    if (call->saturates) {
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
    }
    return (uint32_t)sum;
}

void tensor_multiply(const struct tensor_call *call, const struct tensor_operands *operands,
                     uint32_t ret_d[FRAGMENT_AREA_MAX]) {
    static struct terms a, b;  // static, as is that of a step: a kernel's threads have small stacks
    const struct fragment_shape *shape = &call->a.shape;
    bool real = call->d.type != FRAGMENT_INT;
    for (uint32_t i = 0; real && i < shape->m * shape->k; i++) {
        term_read(operands->a[i], call->a.type, &a, i);
    }
    for (uint32_t i = 0; real && i < shape->k * shape->n; i++) {
        term_read(operands->b[i], call->a.type, &b, i);
    }
    for (uint32_t row = 0; row < shape->m; row++) {
        for (uint32_t column = 0; column < shape->n; column++) {
            uint32_t i = row * shape->n + column;
            ret_d[i] = real ? real_element(call, &a, &b, operands->c[i], row, column)
                            : integer_element(call, operands, row, column);
        }
    }
}
