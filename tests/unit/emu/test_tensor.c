// The tensor cores of the CPU device against those of a card: bits of products, and places of the
// elements of fragments.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../gpu/tensor_cases.h"
#include "../gpu/tensor_h200.h"
#include "emu/memory/events.h"
#include "emu/tensor/tensor_cores.h"
#include "suite.h"  // last: Check has a macro called fail

// --- Products -----------------------------------------------------------------------------------

// A fragment's code, as fragment_decode takes it.
static uint32_t code_of(enum fragment_use use, enum fragment_type type, struct fragment_shape shape,
                        bool columns) {
    return (uint32_t)use | (uint32_t)type << 2 | (uint32_t)columns << 5 | shape.m << 6 |
           shape.n << 12 | shape.k << 18;
}

static const struct tensor_case {
    struct fragment_shape shape;
    enum fragment_type factor, c, d;
} cases[] = {
#define CASE(number, m, n, k, f, c, d)                                                             \
    [number] = {{m, n, k}, (enum fragment_type)f, (enum fragment_type)c, (enum fragment_type)d},
    TENSOR_CASES(CASE) TENSOR_MMA_CASES(CASE)
#undef CASE
};

static const uint64_t values[] = {
#define VALUE(number, hash) [number] = hash,
    TENSOR_VALUES(VALUE)
#undef VALUE
};

static void matrix_draw(uint32_t number, uint32_t product, uint32_t matrix, uint32_t count,
                        enum fragment_type type, uint32_t *bits) {
    for (uint32_t i = 0; i < count; i++) {
        bits[i] = tensor_input(number, product, matrix, i, (int)type);
    }
}

START_TEST(products_have_the_bits_of_a_card) {
    const struct tensor_case *c = &cases[_i];
    struct tensor_call call;
    uint32_t types = (uint32_t)c->c | (uint32_t)c->d << 3;
    ck_assert(tensor_call_decode(code_of(FRAGMENT_A, c->factor, c->shape, false), types, &call));
    const struct fragment_shape *shape = &c->shape;
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    uint64_t hash = TENSOR_HASH_START;
    for (uint32_t product = 0; product < TENSOR_PRODUCTS; product++) {
        matrix_draw((uint32_t)_i, product, 0, shape->m * shape->k, c->factor, operands.a);
        matrix_draw((uint32_t)_i, product, 1, shape->k * shape->n, c->factor, operands.b);
        matrix_draw((uint32_t)_i, product, 2, shape->m * shape->n, c->c, operands.c);
        tensor_multiply(&call, &operands, d);
        for (uint32_t i = 0; i < shape->m * shape->n; i++) {
            hash = tensor_hash(hash, d[i]);
        }
    }
    ck_assert_msg(hash == values[_i], "case %d: 0x%016llx, a card 0x%016llx", _i,
                  (unsigned long long)hash, (unsigned long long)values[_i]);
}
END_TEST

START_TEST(integers_saturate_if_asked) {
    const struct fragment_shape shape = {16, 16, 16};
    struct tensor_call call;
    ck_assert(tensor_call_decode(code_of(FRAGMENT_A, FRAGMENT_S8, shape, false), T_INT | T_INT << 3,
                                 &call));
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    operands.a[0] = 127;
    operands.b[0] = 127;
    operands.c[0] = INT32_MAX;
    tensor_multiply(&call, &operands, d);
    ck_assert_uint_eq(d[0], (uint32_t)INT32_MAX + 127 * 127);
    call.saturates = true;
    tensor_multiply(&call, &operands, d);
    ck_assert_uint_eq(d[0], INT32_MAX);
    operands.a[0] = (uint8_t)-128;
    operands.c[0] = (uint32_t)INT32_MIN;
    tensor_multiply(&call, &operands, d);
    ck_assert_uint_eq(d[0], (uint32_t)INT32_MIN);
}
END_TEST

// --- The rule, element by element ---------------------------------------------------------------

#define MODEL_PRODUCTS 150  // of each case: 10^6 elements in all

static int digits_of(enum fragment_type type) {  // with the leading 1
    return type == FRAGMENT_HALF || type == FRAGMENT_TF32 ? 11 : type == FRAGMENT_BF16 ? 8 : 24;
}

static double model_value(uint32_t bits, enum fragment_type type) {
    int fraction_bits = digits_of(type) - 1;
    int exponent_bits = type == FRAGMENT_HALF ? 5 : 8;
    int spare = type == FRAGMENT_TF32 ? 13 : 0;  // a factor of TF32 loses these
    int bias = (1 << (exponent_bits - 1)) - 1;
    uint32_t fraction = bits >> spare & ((1u << fraction_bits) - 1);
    int exponent = (int)(bits >> (spare + fraction_bits)) & (2 * bias + 1);
    bool negative = bits >> (spare + fraction_bits + exponent_bits) & 1;
    double value = exponent == 0
                       ? ldexp(fraction, 1 - bias - fraction_bits)
                       : ldexp(fraction + (1u << fraction_bits), exponent - bias - fraction_bits);
    if (exponent == 2 * bias + 1) {
        value = fraction == 0 ? (double)INFINITY : (double)NAN;
    }
    return negative ? -value : value;
}

static int model_exponent(double value) {
    return value != 0.0 && isfinite(value) ? ilogb(value) : value != 0.0 ? 1024 : 0;
}

static uint32_t model_float(double value) {
    float near = (float)value;
    uint32_t bits;
    if (isfinite(near) && fabs((double)near) > fabs(value)) {
        near = nextafterf(near, 0.0f);
    }
    memcpy(&bits, &near, sizeof bits);
    return isnan(value) ? 0x7fffffffu : bits;
}

// Of a number that no half lies beyond.
static uint32_t model_half(double value) {
    uint32_t best = 0;
    if (isnan(value)) {
        return 0x7fff;
    }
    for (uint32_t step = 0x4000; step > 0; step /= 2) {  // the largest half that is not larger …
        best += model_value(best + step, FRAGMENT_HALF) <= fabs(value) ? step : 0;
    }
    double below = fabs(value) - model_value(best, FRAGMENT_HALF);
    double above = best + 1 == 0x7c00 ? 65536.0 - fabs(value)
                                      : model_value(best + 1, FRAGMENT_HALF) - fabs(value);
    bool up = isfinite(below) && (above < below || (above == below && (best & 1) == 1));
    return best + up + (signbit(value) ? 0x8000u : 0u);
}

static uint32_t model_element(const struct tensor_case *is, uint32_t step, const double *a,
                              const double *b, uint32_t c) {
    bool halves = is->c == FRAGMENT_HALF && is->d == FRAGMENT_HALF;
    double sum = model_value(c, is->c);
    uint32_t bits = c;
    for (uint32_t first = 0; first < is->shape.k; first += step) {
        double value[17] = {sum};
        int exponent[17] = {model_exponent(sum)};
        int most = -5000;
        double plain = sum;
        double exact = 0.0;
        for (uint32_t i = 0; i < step; i++) {
            value[1 + i] = a[first + i] * b[first + i];
            exponent[1 + i] = model_exponent(a[first + i]) + model_exponent(b[first + i]);
            plain += value[1 + i];
        }
        for (uint32_t i = 0; i <= step; i++) {
            most = value[i] != 0.0 && exponent[i] > most ? exponent[i] : most;
        }
        for (uint32_t i = 0; i <= step && isfinite(plain); i++) {
            exact += ldexp(trunc(ldexp(value[i], 25 - most)), most - 25);
        }
        exact = isfinite(plain) ? exact : plain;
        bits = halves ? model_half(exact) : model_float(exact);
        sum = model_value(bits, halves ? FRAGMENT_HALF : FRAGMENT_FLOAT);
    }
    return is->d == FRAGMENT_HALF && !halves ? model_half(sum) : bits;
}

// Of products alike: whole numbers; all digits; exponents just as far apart as cutting allows, and
// further; and any bits, so that there are subnormal numbers, infinities and NaNs.
static uint32_t model_draw(uint32_t product, uint32_t draw, enum fragment_type type) {
    int fraction_bits = digits_of(type) - 1;
    uint32_t exponent_bits = type == FRAGMENT_HALF ? 5 : 8;
    int spare = type == FRAGMENT_TF32 ? 13 : 0;
    uint32_t bias = (1u << (exponent_bits - 1)) - 1;
    uint32_t spread = product / 4 % 14 + 1;
    uint32_t kept = product % 4 == 1 ? (uint32_t)fraction_bits : tensor_mix(draw) % 7;
    uint32_t fraction = tensor_mix(draw + 1) & ((1u << fraction_bits) - 1);
    uint32_t exponent = bias + tensor_mix(draw + 2) % spread;
    if (product % 4 == 3 && tensor_mix(draw + 3) % 8 == 0) {
        return tensor_mix(draw + 4) &
               (type == FRAGMENT_HALF || type == FRAGMENT_BF16 ? 0xffff : UINT32_MAX);
    }
    if (tensor_mix(draw + 5) % 16 == 0) {
        return 0;
    }
    fraction &= ~(((1u << fraction_bits) - 1) >> kept);
    return ((draw & 1) << exponent_bits | exponent) << (fraction_bits + spare) | fraction << spare;
}

START_TEST(products_follow_the_rule) {
    const struct tensor_case *is = &cases[_i];
    const struct fragment_shape *shape = &is->shape;
    static struct tensor_operands operands;
    static uint32_t d[FRAGMENT_AREA_MAX];
    struct tensor_call call;
    if (is->d == FRAGMENT_INT) {
        return;
    }
    uint32_t types = (uint32_t)is->c | (uint32_t)is->d << 3;
    ck_assert(tensor_call_decode(code_of(FRAGMENT_A, is->factor, *shape, false), types, &call));
    uint32_t step = is->factor != FRAGMENT_TF32 ? 16 : shape->n == 16 ? 4 : 8;
    step = step < shape->k ? step : shape->k;
    for (uint32_t product = 0; product < MODEL_PRODUCTS; product++) {
        uint32_t first = tensor_mix((uint32_t)_i * MODEL_PRODUCTS + product);
        for (uint32_t i = 0; i < FRAGMENT_AREA_MAX; i++) {
            operands.a[i] = model_draw(product, tensor_mix(first + i), is->factor);
            operands.b[i] = model_draw(product, tensor_mix(first + 5000 + i), is->factor);
            operands.c[i] = model_draw(product, tensor_mix(first + 9000 + i), is->c);
        }
        for (uint32_t k = 0; k < shape->k && product % 3 == 0; k++) {  // beyond the edge of A and B
            operands.a[k] = operands.b[k * shape->n] = 0;
        }
        operands.c[product % shape->n] = 0x80000000u;  // -0 of a float
        tensor_multiply(&call, &operands, d);
        for (uint32_t i = 0; i < shape->m * shape->n; i++) {
            double a[64], b[64];
            for (uint32_t k = 0; k < shape->k; k++) {
                a[k] = model_value(operands.a[i / shape->n * shape->k + k], is->factor);
                b[k] = model_value(operands.b[k * shape->n + i % shape->n], is->factor);
            }
            uint32_t want = model_element(is, step, a, b, operands.c[i]);
            ck_assert_msg(d[i] == want, "case %d, product %u, element %u: 0x%x, not 0x%x", _i,
                          product, i, d[i], want);
        }
    }
}
END_TEST

// --- Fragments ----------------------------------------------------------------------------------

static const struct place_case {
    enum fragment_use use;
    enum fragment_type type;
    struct fragment_shape shape;
    uint64_t hash;
} places[] = {
#define PLACE(use, type, m, n, k, hash)                                                            \
    {(enum fragment_use)use, (enum fragment_type)type, {m, n, k}, hash},
    TENSOR_PLACES(PLACE)
#undef PLACE
};

static uint32_t place_code(const struct place_case *place, bool columns) {
    return code_of(place->use, place->type, place->shape, columns);
}

START_TEST(elements_are_where_a_card_has_them) {
    struct fragment fragment;
    uint64_t hash = TENSOR_HASH_START;
    ck_assert(fragment_decode(place_code(&places[_i], false), &fragment));
    for (uint32_t i = 0; i < WARP_LANES * FRAGMENT_ELEMENTS_MAX; i++) {
        uint32_t element = i % FRAGMENT_ELEMENTS_MAX;
        uint32_t row = 0, column = 0;
        if (element < fragment.elements) {
            fragment_place(&fragment, i / FRAGMENT_ELEMENTS_MAX, element, &row, &column);
        }
        hash = tensor_hash(hash, row * 64 + column);
    }
    ck_assert_msg(hash == places[_i].hash, "use %d, type %d, %ux%ux%u: another layout",
                  (int)fragment.use, (int)fragment.type, fragment.shape.m, fragment.shape.n,
                  fragment.shape.k);
}
END_TEST

// Loads and stores of all lanes together touch each element of the matrix, and nothing else.
START_TEST(parts_cover_the_matrix) {
    struct fragment fragment;
    for (int way = 0; way < 8; way++) {
        static uint8_t seen[64][64];
        bool columns = (way & 1) != 0;
        ck_assert(fragment_decode(place_code(&places[_i], columns), &fragment));
        uint32_t lines = columns ? fragment_columns(&fragment) : fragment_rows(&fragment);
        uint32_t length = columns ? fragment_rows(&fragment) : fragment_columns(&fragment);
        memset(seen, 0, sizeof seen);
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            struct fragment_part parts[FRAGMENT_PARTS_MAX];
            uint32_t count = fragment_parts(&fragment, (way & 2) != 0, (way & 4) != 0, lane, parts);
            ck_assert_uint_le(count, FRAGMENT_PARTS_MAX);
            for (uint32_t i = 0; i < count; i++) {
                uint32_t elements = parts[i].bytes / fragment_element_bytes(&fragment);
                for (uint32_t at = 0; at < elements; at++) {
                    ck_assert_uint_lt(parts[i].line, lines);
                    ck_assert_uint_lt(parts[i].at + at, length);
                    seen[parts[i].line][parts[i].at + at] = 1;
                }
            }
        }
        for (uint32_t line = 0; line < lines; line++) {
            for (uint32_t at = 0; at < length; at++) {
                ck_assert_msg(seen[line][at], "way %d: %u, %u is never touched", way, line, at);
            }
        }
    }
}
END_TEST

START_TEST(what_cuda_lacks_is_refused) {
    struct fragment fragment;
    struct tensor_call call;
    const struct place_case deep = {FRAGMENT_A, FRAGMENT_TF32, {16, 16, 16}, 0};
    const struct place_case float_factor = {FRAGMENT_A, FRAGMENT_FLOAT, {16, 16, 16}, 0};
    const struct place_case halves = {FRAGMENT_A, FRAGMENT_HALF, {16, 16, 16}, 0};
    const struct place_case bytes = {FRAGMENT_A, FRAGMENT_S8, {16, 16, 16}, 0};
    ck_assert(!fragment_decode(place_code(&deep, false), &fragment));
    ck_assert(!fragment_decode(place_code(&float_factor, false), &fragment));
    ck_assert(!fragment_decode(UINT32_MAX, &fragment));
    ck_assert(tensor_call_decode(place_code(&halves, false), T_HALF | T_FLOAT << 3, &call));
    ck_assert(!tensor_call_decode(place_code(&halves, false), T_INT | T_INT << 3, &call));
    ck_assert(!tensor_call_decode(place_code(&bytes, false), T_FLOAT | T_FLOAT << 3, &call));
    ck_assert(!tensor_call_decode(UINT32_MAX, UINT32_MAX, &call));
}
END_TEST

SUITE() {
    Suite *suite = suite_create("tensor");
    TCase *products = tcase_create("products");
    tcase_add_loop_test(products, products_have_the_bits_of_a_card, 0, TENSOR_CASE_COUNT);
    tcase_add_loop_test(products, products_follow_the_rule, 0, TENSOR_CASE_COUNT);
    tcase_add_test(products, integers_saturate_if_asked);
    suite_add_tcase(suite, products);
    TCase *fragments = tcase_create("fragments");
    tcase_add_loop_test(fragments, elements_are_where_a_card_has_them, 0,
                        (int)(sizeof places / sizeof places[0]));
    tcase_add_loop_test(fragments, parts_cover_the_matrix, 0,
                        (int)(sizeof places / sizeof places[0]));
    tcase_add_test(fragments, what_cuda_lacks_is_refused);
    suite_add_tcase(suite, fragments);
    return suite;
}
