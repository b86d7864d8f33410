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
#define PRODUCTS_A_STEP_16  16  // half, bf16
#define PRODUCTS_A_STEP_32  8   // tf32 …
#define PRODUCTS_A_WMMA_32  4   // … of wmma, which nvcc makes of instructions of 4
#define PRODUCTS_A_STEP_MAX 16
#define BITS_BELOW          2  // that an aligned term keeps below the last bit of float

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

void tensor_read(const uint32_t *bits, uint32_t count, enum fragment_type type,
                 struct tensor_term *ret_terms) {
    for (uint32_t i = 0; i < count; i++) {
        double value = value_of(bits[i], type);
        ret_terms[i] = (struct tensor_term){value, value != 0.0 ? exponent_of(value) : 0};
    }
}

// The sum of the terms, each cut below the last bits that the largest one leaves; exact then.
static double aligned_sum(const struct tensor_term *terms, uint32_t count) {
    int most = INT32_MIN;
    double plain = 0.0;
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        plain += terms[i].value;
        if (terms[i].value != 0.0 && terms[i].exponent > most) {
            most = terms[i].exponent;
        }
    }
    if (most == INT32_MIN || !isfinite(plain)) {
        return plain;  // NaN and infinity as in any sum: not measured
    }
    int last = most - (FLOAT_DIGITS - 1) - BITS_BELOW;
    double up = power_of_two(-last);
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)(int64_t)(terms[i].value * up);
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

static uint32_t products_a_step(const struct tensor_call *call) {
    bool by_wmma = call->a.packed == 1 && call->a.shape.n != 8;
    return call->a.type != FRAGMENT_TF32 ? PRODUCTS_A_STEP_16
           : by_wmma                     ? PRODUCTS_A_WMMA_32
                                         : PRODUCTS_A_STEP_32;
}

uint32_t tensor_element(const struct tensor_rule *rule, const struct tensor_term *a,
                        const struct tensor_term *b, uint32_t b_step, uint32_t sum) {
    struct tensor_term terms[1 + PRODUCTS_A_STEP_MAX];
    bool halves = rule->c == FRAGMENT_HALF && rule->d == FRAGMENT_HALF;
    enum fragment_type type = rule->c;
    uint32_t step = rule->step < rule->k ? rule->step : rule->k;
    for (uint32_t first = 0; first < rule->k; first += step) {
        tensor_read(&sum, 1, type, &terms[0]);
        for (uint32_t i = 0; i < step; i++) {
            const struct tensor_term *left = &a[first + i];
            const struct tensor_term *right = &b[(first + i) * b_step];
            terms[1 + i].value = left->value * right->value;
            terms[1 + i].exponent = left->exponent + right->exponent;
        }
        double exact = aligned_sum(terms, 1 + step);
        sum = halves ? half_near(exact) : float_cut(exact);
        type = halves ? FRAGMENT_HALF : FRAGMENT_FLOAT;
    }
    bool narrows = rule->d == FRAGMENT_HALF && !halves;
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
    // Static: a kernel's threads have small stacks.
    static struct tensor_term a[FRAGMENT_AREA_MAX], b[FRAGMENT_AREA_MAX];
    const struct fragment_shape *shape = &call->a.shape;
    const struct tensor_rule rule = {call->c.type, call->d.type, shape->k, products_a_step(call)};
    bool real = call->d.type != FRAGMENT_INT;
    if (real) {
        tensor_read(operands->a, shape->m * shape->k, call->a.type, a);
        tensor_read(operands->b, shape->k * shape->n, call->a.type, b);
    }
    for (uint32_t row = 0; row < shape->m; row++) {
        for (uint32_t column = 0; column < shape->n; column++) {
            uint32_t i = row * shape->n + column;
            ret_d[i] = real ? tensor_element(&rule, &a[row * shape->k], &b[column], shape->n,
                                             operands->c[i])
                            : integer_element(call, operands, row, column);
        }
    }
}
