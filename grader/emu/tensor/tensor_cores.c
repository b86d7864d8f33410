// Layouts of fragments.
//
// The arithmetic of tensor cores.
//
// Products are exact.  A step adds the sum so far and some products together, in no order: each
// is aligned to the largest of them and truncated, then added exactly.  The result is truncated
// to float, or rounded to nearest if C and D are half.  With float sums, a D of half is rounded
// at the end.  If no term has a bit that truncating would drop, as with whole numbers and most
// others of similar size, the sum is the plain one.  Source: measured on an H200
// (tests/gpu/tensor_h200.h).  The model is that of Fasi, Higham, Mikaitis and Pranesh, Numerical
// behavior of NVIDIA tensor cores, PeerJ Computer Science 7:e330, 2021, who find other numbers
// on other GPUs.
//
// The layouts and the arithmetic of wgmma.
#include "emu/tensor/tensor_cores.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "emu/tensor/tensor_box.h"

// Bits of a row or a column: this bit of the lane, or of the number of the element; 0: none.
#define LANE(bit)  (1 + (bit))
#define ELEM(bit)  (9 + (bit))
#define INDEX_BITS 5

#define LINE_BYTES 16  // of a piece
#define WORD_BYTES 4

// Rows and columns from their lowest bit on.
struct layout {
    uint32_t use, types;
    uint8_t m, n, k;  // k 0: any
    uint8_t elements;
    uint8_t row[INDEX_BITS], column[INDEX_BITS];
};

#define TYPE(type) (1u << (type))
#define HALVES     (TYPE(FRAGMENT_HALF) | TYPE(FRAGMENT_BF16))
#define BYTES      (TYPE(FRAGMENT_S8) | TYPE(FRAGMENT_U8))
#define SUMS       (TYPE(FRAGMENT_FLOAT) | TYPE(FRAGMENT_HALF) | TYPE(FRAGMENT_INT))

// The bits of the lane number that choose one of 8 lines, and those that choose a word in the
// line.
#define LINES LANE(2), LANE(3), LANE(4)
#define WORDS LANE(0), LANE(1)

#define LANES 32

static const struct layout layouts[] = {
    {FRAGMENT_A, HALVES, 16, 16, 16, 8, {LINES, ELEM(1)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_B, HALVES, 16, 16, 16, 8, {ELEM(0), WORDS, ELEM(1)}, {LINES, ELEM(2)}},
    {FRAGMENT_A, HALVES, 32, 8, 16, 16, {LINES, ELEM(1), ELEM(3)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_B, HALVES, 32, 8, 16, 4, {ELEM(0), WORDS, ELEM(1)}, {LINES}},
    {FRAGMENT_A, HALVES, 8, 32, 16, 4, {LINES}, {ELEM(0), WORDS, ELEM(1)}},
    {FRAGMENT_B, HALVES, 8, 32, 16, 16, {ELEM(0), WORDS, ELEM(2)}, {LINES, ELEM(1), ELEM(3)}},
    {FRAGMENT_A, TYPE(FRAGMENT_TF32), 16, 16, 8, 4, {LINES, ELEM(0)}, {WORDS, ELEM(1)}},
    {FRAGMENT_B, TYPE(FRAGMENT_TF32), 16, 16, 8, 4, {WORDS, ELEM(0)}, {LINES, ELEM(1)}},
    {FRAGMENT_A, BYTES, 16, 16, 16, 8, {LINES, ELEM(2)}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 16, 16, 16, 8, {ELEM(0), ELEM(1), WORDS}, {LINES, ELEM(2)}},
    {FRAGMENT_A, BYTES, 32, 8, 16, 16, {LINES, ELEM(2), ELEM(3)}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 32, 8, 16, 4, {ELEM(0), ELEM(1), WORDS}, {LINES}},
    {FRAGMENT_A, BYTES, 8, 32, 16, 4, {LINES}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 8, 32, 16, 16, {ELEM(0), ELEM(1), WORDS}, {LINES, ELEM(2), ELEM(3)}},
    {FRAGMENT_SUM, SUMS, 16, 16, 0, 8, {LINES, ELEM(1)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_SUM, SUMS, 32, 8, 0, 8, {LINES, ELEM(1), ELEM(2)}, {ELEM(0), WORDS}},
    {FRAGMENT_SUM, SUMS, 8, 32, 0, 8, {ELEM(0), WORDS}, {LINES, ELEM(1), ELEM(2)}},
    // The shapes of mma.sync.
    {FRAGMENT_A, HALVES, 16, 8, 16, 8, {LINES, ELEM(1)}, {ELEM(0), WORDS, ELEM(2)}},
    {FRAGMENT_B, HALVES, 16, 8, 16, 4, {ELEM(0), WORDS, ELEM(1)}, {LINES}},
    {FRAGMENT_A, HALVES, 16, 8, 8, 4, {LINES, ELEM(1)}, {ELEM(0), WORDS}},
    {FRAGMENT_B, HALVES, 16, 8, 8, 2, {ELEM(0), WORDS}, {LINES}},
    {FRAGMENT_A, TYPE(FRAGMENT_TF32), 16, 8, 8, 4, {LINES, ELEM(0)}, {WORDS, ELEM(1)}},
    {FRAGMENT_B, TYPE(FRAGMENT_TF32), 16, 8, 8, 2, {WORDS, ELEM(0)}, {LINES}},
    {FRAGMENT_A, TYPE(FRAGMENT_TF32), 16, 8, 4, 2, {LINES, ELEM(0)}, {WORDS}},
    {FRAGMENT_B, TYPE(FRAGMENT_TF32), 16, 8, 4, 1, {WORDS}, {LINES}},
    {FRAGMENT_A, BYTES, 16, 8, 32, 16, {LINES, ELEM(2)}, {ELEM(0), ELEM(1), WORDS, ELEM(3)}},
    {FRAGMENT_B, BYTES, 16, 8, 32, 8, {ELEM(0), ELEM(1), WORDS, ELEM(2)}, {LINES}},
    {FRAGMENT_A, BYTES, 16, 8, 16, 8, {LINES, ELEM(2)}, {ELEM(0), ELEM(1), WORDS}},
    {FRAGMENT_B, BYTES, 16, 8, 16, 4, {ELEM(0), ELEM(1), WORDS}, {LINES}},
    {FRAGMENT_SUM, SUMS, 16, 8, 0, 4, {LINES, ELEM(1)}, {ELEM(0), WORDS}},
};
#define LAYOUTS  (sizeof layouts / sizeof layouts[0])
#define KEPT_MAX 8  // decoded fragments: the few that a kernel uses in turn

static uint32_t index_of(const uint8_t bits[INDEX_BITS], uint32_t lane, uint32_t element) {
    uint32_t index = 0;
    for (uint32_t i = 0; i < INDEX_BITS && bits[i] != 0; i++) {
        uint32_t bit =
            bits[i] >= ELEM(0) ? element >> (bits[i] - ELEM(0)) : lane >> (bits[i] - LANE(0));
        index |= (bit & 1) << i;
    }
    return index;
}

// The places of a layout, worked out once.
static const uint16_t *places_of(size_t number) {
    static struct {
        bool known;
        uint16_t place[LANES * FRAGMENT_ELEMENTS_MAX];
    } tables[LAYOUTS];
    const struct layout *layout = &layouts[number];
    for (uint32_t i = 0; !tables[number].known && i < LANES * FRAGMENT_ELEMENTS_MAX; i++) {
        uint32_t lane = i / FRAGMENT_ELEMENTS_MAX;
        uint32_t element = i % FRAGMENT_ELEMENTS_MAX % layout->elements;
        tables[number].place[i] = (uint16_t)(index_of(layout->row, lane, element) * 64 +
                                             index_of(layout->column, lane, element));
    }
    tables[number].known = true;
    return tables[number].place;
}

uint32_t fragment_element_bytes(const struct fragment *fragment) {
    switch (fragment->type) {
    case FRAGMENT_HALF:
    case FRAGMENT_BF16:
        return 2;
    case FRAGMENT_S8:
    case FRAGMENT_U8:
        return 1;
    default:
        return 4;
    }
}

// Fills in the members that follow from the others; false if there is no such layout.
static bool layout_find(struct fragment *fragment) {
    for (size_t i = 0; i < LAYOUTS; i++) {
        const struct layout *layout = &layouts[i];
        if (layout->use == fragment->use && (layout->types >> fragment->type & 1) &&
            layout->m == fragment->shape.m && layout->n == fragment->shape.n &&
            (layout->k == fragment->shape.k || layout->k == 0)) {
            bool in_registers = layout->m == 16 && layout->n == 8;
            bool twice =
                fragment->use != FRAGMENT_SUM && fragment->type == FRAGMENT_HALF && !in_registers;
            fragment->packed = in_registers ? WORD_BYTES / fragment_element_bytes(fragment) : 1;
            fragment->elements = twice ? FRAGMENT_ELEMENTS_MAX : layout->elements;
            fragment->place = places_of(i);
            return true;
        }
    }
    return false;
}

static bool decode(uint32_t code, struct fragment *ret_fragment) {
    *ret_fragment = (struct fragment){
        .use = (enum fragment_use)(code & 3),
        .type = (enum fragment_type)(code >> 2 & 7),
        .columns = (code >> 5 & 1) != 0,
        .shape = {.m = code >> 6 & 63, .n = code >> 12 & 63, .k = code >> 18 & 63}};
    return layout_find(ret_fragment);
}

// All lanes of a warp pass the same code, so the last ones are kept.
bool fragment_decode(uint32_t code, struct fragment *ret_fragment) {
    static struct {
        bool known;
        uint32_t code;
        struct fragment fragment;
    } kept[KEPT_MAX];
    size_t at = (code ^ code >> 2) % KEPT_MAX;
    if (!kept[at].known || kept[at].code != code) {
        if (!decode(code, ret_fragment)) {
            return false;
        }
        kept[at].known = true;
        kept[at].code = code;
        kept[at].fragment = *ret_fragment;
    }
    *ret_fragment = kept[at].fragment;
    return true;
}

// Another use or type of the same multiplication.  Returns false if CUDA has no such fragment.
static bool fragment_of_call(const struct fragment *fragment, enum fragment_use use,
                             enum fragment_type type, struct fragment *ret_fragment) {
    *ret_fragment = *fragment;
    ret_fragment->use = use;
    ret_fragment->type = type;
    return layout_find(ret_fragment);
}

uint32_t fragment_rows(const struct fragment *fragment) {
    return fragment->use == FRAGMENT_B ? fragment->shape.k : fragment->shape.m;
}

uint32_t fragment_columns(const struct fragment *fragment) {
    return fragment->use == FRAGMENT_A ? fragment->shape.k : fragment->shape.n;
}

// --- Loads and stores ---------------------------------------------------------------------------

static uint32_t lines_of(const struct fragment *fragment) {
    return fragment->columns ? fragment_columns(fragment) : fragment_rows(fragment);
}

static uint32_t line_length(const struct fragment *fragment) {
    return fragment->columns ? fragment_rows(fragment) : fragment_columns(fragment);
}

// In pieces of 8 lines of 16 bytes: each lane moves a word of each piece.
static uint32_t words(const struct fragment *fragment, uint32_t lane,
                      struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    uint32_t across = line_length(fragment) * bytes / LINE_BYTES;
    uint32_t pieces = lines_of(fragment) / 8 * across;
    for (uint32_t i = 0; i < pieces; i++) {
        ret_parts[i] =
            (struct fragment_part){.line = i / across * 8 + lane / 4,
                                   .at = (i % across * LINE_BYTES + lane % 4 * WORD_BYTES) / bytes,
                                   .bytes = WORD_BYTES};
    }
    return pieces;
}

// With ldmatrix: each lane names a line of one of up to four pieces.
static uint32_t whole_lines(const struct fragment *fragment, uint32_t lane,
                            struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    uint32_t across = line_length(fragment) * bytes / LINE_BYTES;
    uint32_t pieces = lines_of(fragment) / 8 * across;
    uint32_t count = (pieces + 3) / 4;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = i * 4 + lane / 8;
        ret_parts[i] = (struct fragment_part){.line = piece / across * 8 + lane % 8,
                                              .at = piece % across * LINE_BYTES / bytes,
                                              .bytes = piece < pieces ? LINE_BYTES : 0};
    }
    return count;
}

// Each lane moves its own elements, two neighbours together.
static uint32_t elements(const struct fragment *fragment, uint32_t lane,
                         struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    uint32_t count = 0;
    for (uint32_t element = 0; element < fragment->elements; element++) {
        struct fragment_part part = {.bytes = bytes};
        fragment_place(fragment, lane, element, fragment->columns ? &part.at : &part.line,
                       fragment->columns ? &part.line : &part.at);
        struct fragment_part *last = count > 0 ? &ret_parts[count - 1] : NULL;
        if (last && fragment->use == FRAGMENT_SUM && last->bytes == bytes &&
            last->line == part.line && last->at + 1 == part.at) {
            last->bytes = 2 * bytes;
        } else {
            ret_parts[count++] = part;
        }
    }
    return count;
}

uint32_t fragment_parts(const struct fragment *fragment, bool shared, bool stores, uint32_t lane,
                        struct fragment_part ret_parts[FRAGMENT_PARTS_MAX]) {
    uint32_t bytes = fragment_element_bytes(fragment);
    bool along_k = fragment->columns == (fragment->use == FRAGMENT_B);
    if (bytes == 4 || (bytes == 1 && !along_k)) {
        return elements(fragment, lane, ret_parts);
    }
    bool by_ldmatrix =
        shared && !stores && fragment->use != FRAGMENT_SUM && fragment->type != FRAGMENT_BF16;
    return by_ldmatrix ? whole_lines(fragment, lane, ret_parts) : words(fragment, lane, ret_parts);
}

// These differ between GPUs; the values are those of an H200.
#define PRODUCTS_A_STEP_16  16  // half, bf16
#define PRODUCTS_A_STEP_32  8   // tf32 …
#define PRODUCTS_A_WMMA_32  4   // for wmma, which nvcc builds from instructions of 4
#define PRODUCTS_A_STEP_MAX 16
#define BITS_BELOW          2  // bits of an aligned term below the last bit of float

#define FLOAT_DIGITS 24
#define TF32_KEPT    0xffffe000u  // a factor loses the other bits

static bool call_decode(uint32_t code, uint32_t types, struct tensor_call *call) {
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

bool tensor_call_decode(uint32_t code, uint32_t types, struct tensor_call *ret_call) {
    static struct {
        bool known;
        uint32_t code, types;
        struct tensor_call call;
    } kept;
    if (!kept.known || kept.code != code || kept.types != types) {
        if (!call_decode(code, types, ret_call)) {
            return false;
        }
        kept.known = true;
        kept.code = code;
        kept.types = types;
        kept.call = *ret_call;
    }
    *ret_call = kept.call;
    return true;
}

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// The exponent of a number that is not 0.
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

// The exponent of the largest of some numbers, and the exponent of the lowest bit in any of them.
struct tensor_range {
    int most, unit;
};

#define DOUBLE_DIGITS 53
#define NOT_FINITE    1024     // the exponent of infinity and NaN
#define RANGE_OF_ZERO 2000     // further than any exponent of a product
#define UNIT_OF_NONE  (-8000)  // if one is not finite: lower than any, even with zeros

static const struct tensor_range range_empty = {-RANGE_OF_ZERO, RANGE_OF_ZERO};

static void range_add(struct tensor_range *range, double value) {
    if (value == 0.0) {
        return;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = exponent_of(value);
    uint64_t digits = bits | UINT64_C(1) << (DOUBLE_DIGITS - 1);
    int unit = exponent == NOT_FINITE ? UNIT_OF_NONE
                                      : exponent - (DOUBLE_DIGITS - 1) + __builtin_ctzll(digits);
    range->most = exponent > range->most ? exponent : range->most;
    range->unit = unit < range->unit ? unit : range->unit;
}

// One row of A or column of B.
struct tensor_line {
    const double *value;
    struct tensor_range range;
};

// Of every step-th of these bits.
static struct tensor_line tensor_line_read(const uint32_t *bits, uint32_t count, uint32_t step,
                                           enum fragment_type type, double *values) {
    struct tensor_line line = {values, range_empty};
    for (uint32_t i = 0; i < count; i++) {
        values[i] = value_of(bits[(size_t)i * step], type);
        range_add(&line.range, values[i]);
    }
    return line;
}

// A number, and the exponent for its alignment: for a product, the sum of its factors' exponents,
// before its significand is normalized.
struct tensor_term {
    double value;
    int exponent;
};

// The exact sum of the terms, each truncated at the last bits that the largest one leaves.
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
        return plain;  // NaN and infinity as in any sum; not measured
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
    // If the digits round up to the next power, adding them carries into the exponent.
    uint32_t digits = (uint32_t)rint(size * power_of_two(10 - exponent));
    return sign | (((uint32_t)(exponent + 14) << 10) + digits);
}

static uint32_t products_a_step(const struct tensor_call *call) {
    bool by_wmma = call->a.packed == 1 && call->a.shape.n != 8;
    return call->a.type != FRAGMENT_TF32 ? PRODUCTS_A_STEP_16
           : by_wmma                     ? PRODUCTS_A_WMMA_32
                                         : PRODUCTS_A_STEP_32;
}

#define SUMS_AT_ONCE 4  // partial sums, which the compiler keeps in vectors

static double plain_sum(const double *a, const double *b, uint32_t count) {
    double sum[SUMS_AT_ONCE] = {0.0};
    for (uint32_t i = 0; i < count; i += SUMS_AT_ONCE) {
        for (uint32_t j = 0; j < SUMS_AT_ONCE; j++) {
            sum[j] += a[i + j] * b[i + j];
        }
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static struct tensor_term term_of(double left, double right) {
    return (struct tensor_term){left * right, (left != 0.0 ? exponent_of(left) : 0) +
                                                  (right != 0.0 ? exponent_of(right) : 0)};
}

static double truncated_sum(const double *a, const double *b, uint32_t count, double sum) {
    struct tensor_term terms[1 + PRODUCTS_A_STEP_MAX];
    terms[0] = term_of(sum, 1.0);
    for (uint32_t i = 0; i < count; i++) {
        terms[1 + i] = term_of(a[i], b[i]);
    }
    return aligned_sum(terms, 1 + count);
}

// True if truncating drops no bit of any product of the two lines, nor of the sum so far.  Their
// sum is then exact in double.
static bool is_plain(const struct tensor_line *a, const struct tensor_line *b, double sum) {
    struct tensor_range of_sum = range_empty;
    range_add(&of_sum, sum);
    int most = a->range.most + b->range.most;
    most = of_sum.most > most ? of_sum.most : most;
    int last = most - (FLOAT_DIGITS - 1) - BITS_BELOW;
    return a->range.unit + b->range.unit >= last && of_sum.unit >= last;
}

// True if all products of the two lines are 0, as of a tile beyond the edge of a matrix, and a sum
// of floats stays what it is.
static bool adds_nothing(const struct tensor_line *a, const struct tensor_line *b, uint32_t sum) {
    const bool has_zeros = a->range.most == -RANGE_OF_ZERO || b->range.most == -RANGE_OF_ZERO;
    return has_zeros && a->range.unit > UNIT_OF_NONE && b->range.unit > UNIT_OF_NONE &&
           (sum & 0x7f800000u) != 0x7f800000u && sum != 0x80000000u;
}

// One element of D: `sum` has the bits of C.
static uint32_t tensor_element(const struct tensor_rule *rule, const struct tensor_line *a,
                               const struct tensor_line *b, uint32_t sum) {
    bool halves = rule->c == FRAGMENT_HALF && rule->d == FRAGMENT_HALF;
    enum fragment_type type = rule->c;
    uint32_t step = rule->step < rule->k ? rule->step : rule->k;
    if (type == FRAGMENT_FLOAT && rule->d == FRAGMENT_FLOAT && adds_nothing(a, b, sum)) {
        return sum;
    }
    for (uint32_t first = 0; first < rule->k; first += step) {
        double before = value_of(sum, type);
        double exact = is_plain(a, b, before)
                           ? before + plain_sum(&a->value[first], &b->value[first], step)
                           : truncated_sum(&a->value[first], &b->value[first], step, before);
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
    static double values[2][FRAGMENT_AREA_MAX];
    static struct tensor_line a[FRAGMENT_EDGE_MAX], b[FRAGMENT_EDGE_MAX];
    const struct fragment_shape *shape = &call->a.shape;
    const struct tensor_rule rule = {call->c.type, call->d.type, shape->k, products_a_step(call)};
    bool real = call->d.type != FRAGMENT_INT;
    for (uint32_t row = 0; row < shape->m && real; row++) {
        a[row] = tensor_line_read(&operands->a[row * shape->k], shape->k, 1, call->a.type,
                                  &values[0][row * shape->k]);
    }
    for (uint32_t column = 0; column < shape->n && real; column++) {
        b[column] = tensor_line_read(&operands->b[column], shape->k, shape->n, call->a.type,
                                     &values[1][column * shape->k]);
    }
    for (uint32_t row = 0; row < shape->m; row++) {
        for (uint32_t column = 0; column < shape->n; column++) {
            uint32_t i = row * shape->n + column;
            ret_d[i] = real ? tensor_element(&rule, &a[row], &b[column], operands->c[i])
                            : integer_element(call, operands, row, column);
        }
    }
}

#define BASE_ROW_BYTES 128

static uint32_t element_bytes(const struct wgmma_call *call) {
    return call->type == FRAGMENT_TF32 ? 4 : 2;
}

bool wgmma_decode(uint32_t code, struct wgmma_call *ret_call) {
    struct wgmma_call call = {.n = code & 511,
                              .type = (enum fragment_type)(code >> 9 & 7),
                              .a_in_registers = (code >> 12 & 1) != 0,
                              .transposed = {(code >> 13 & 1) != 0, (code >> 14 & 1) != 0},
                              .adds = (code >> 15 & 1) != 0};
    bool transposes = call.transposed[0] || call.transposed[1];
    call.k = WGMMA_ROW_BYTES / element_bytes(&call);
    *ret_call = call;
    return call.n >= 8 && call.n <= WGMMA_N_MAX && call.n % 8 == 0 && code >> 16 == 0 &&
           call.type <= FRAGMENT_TF32 && !(call.type == FRAGMENT_TF32 && transposes) &&
           !(call.a_in_registers && call.transposed[0]);
}

struct wgmma_factor wgmma_factor_of(uint64_t descriptor) {
    static const uint32_t swizzles[4] = {0, 128, 64, 32};
    return (struct wgmma_factor){
        .array = (uint32_t)(descriptor >> WGMMA_ARRAY_SHIFT) % WGMMA_ARRAYS_MAX,
        .start = (uint32_t)(descriptor & 0x3fff) << 4,
        .leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4,
        .stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4,
        .base = (uint32_t)(descriptor >> 49 & 7),
        .swizzle = swizzles[descriptor >> 62],
    };
}

uint64_t wgmma_piece(const struct wgmma_factor *factor, bool transposed, uint32_t i) {
    uint32_t line = factor->swizzle > 0 ? factor->swizzle : WGMMA_PIECE_BYTES;
    uint32_t across = line / WGMMA_PIECE_BYTES;
    uint64_t at = factor->start;
    if (!transposed) {
        uint32_t row = i / 2;
        at += row % WGMMA_LINE_ROWS * line + (uint64_t)(row / WGMMA_LINE_ROWS) * factor->stride;
        at += i % 2 * (factor->swizzle > 0 ? WGMMA_PIECE_BYTES : factor->leading);
    } else {
        uint32_t k = i % WGMMA_K_MAX;
        uint32_t unit = i / WGMMA_K_MAX;  // 8 elements of M or N
        uint64_t units = factor->swizzle > 0 ? factor->leading : factor->stride;
        uint64_t rows = factor->swizzle > 0 ? factor->stride : factor->leading;
        at += k % WGMMA_LINE_ROWS * line + k / WGMMA_LINE_ROWS * rows;
        at += unit % across * WGMMA_PIECE_BYTES + unit / across * units;
    }
    uint64_t in_pattern = at - factor->base * (uint64_t)BASE_ROW_BYTES;
    return at ^ in_pattern ^ box_swizzle(in_pattern, factor->swizzle);
}

void wgmma_elements(const struct wgmma_call *call, bool transposed, uint32_t rows,
                    const unsigned char *pieces, uint32_t *ret_bits) {
    uint32_t bytes = element_bytes(call);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t k = 0; k < call->k; k++) {
            uint32_t at = transposed
                              ? (row / 8 * WGMMA_K_MAX + k) * WGMMA_PIECE_BYTES + row % 8 * bytes
                              : row * WGMMA_ROW_BYTES + k * bytes;
            uint32_t bits = 0;
            memcpy(&bits, pieces + at, bytes);
            ret_bits[row * call->k + k] = bits;
        }
    }
}

uint32_t wgmma_place_of_sum(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                            uint32_t i) {
    uint32_t row = 16 * warp + lane / 4 + 8 * (i / 2 % 2);
    return row * call->n + 8 * (i / 4) + 2 * (lane % 4) + i % 2;
}

uint32_t wgmma_place_of_factor(const struct wgmma_call *call, uint32_t warp, uint32_t lane,
                               uint32_t i, uint32_t element) {
    uint32_t each = 4 / element_bytes(call);
    uint32_t row = 16 * warp + lane / 4 + 8 * (i % 2);
    return row * call->k + i / 2 * (4 * each) + lane % 4 * each + element;
}

void wgmma_multiply(const struct wgmma_call *call, const uint32_t *a, const uint32_t *b,
                    uint32_t *d) {
    // Static: a kernel's threads have small stacks.
    static double left[WGMMA_M * WGMMA_K_MAX], right[WGMMA_N_MAX * WGMMA_K_MAX];
    static struct tensor_line columns[WGMMA_N_MAX];
    const struct tensor_rule rule = {FRAGMENT_FLOAT, FRAGMENT_FLOAT, call->k,
                                     call->type == FRAGMENT_TF32 ? PRODUCTS_A_STEP_32
                                                                 : PRODUCTS_A_STEP_16};
    for (uint32_t column = 0; column < call->n; column++) {
        columns[column] = tensor_line_read(&b[column * call->k], call->k, 1, call->type,
                                           &right[column * call->k]);
    }
    for (uint32_t row = 0; row < WGMMA_M; row++) {
        struct tensor_line line =
            tensor_line_read(&a[row * call->k], call->k, 1, call->type, &left[row * call->k]);
        for (uint32_t column = 0; column < call->n; column++) {
            uint32_t *sum = &d[row * call->n + column];
            *sum = tensor_element(&rule, &line, &columns[column], call->adds ? *sum : 0);
        }
    }
}
